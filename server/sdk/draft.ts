import type { ContentDocument } from '../../contract/content/document.ts'
import { render } from '../../contract/content/render.ts'
import type { RenderedContent } from '../../contract/content/rendered.ts'
import { partId } from '../content/document-ids.ts'
import { findContent } from '../content/queries.ts'
import { findThemeDocument } from '../content/theme-queries.ts'
import { findVersion } from '../content/version-queries.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'
import { errors } from '../errors.ts'

/** The draft of a content as it is shown. It is for nobody: templates show their fallbacks, and no condition of the server holds. */
export async function renderDraft(
  db: Queryable,
  environmentId: EnvironmentId,
  contentId: string,
): Promise<RenderedContent> {
  const content = await findContent(db, environmentId, contentId)
  const version = content && (await findVersion(db, environmentId, content.draft_version_id))
  if (!version) throw errors.editEnded()
  const document = JSON.parse(version.document) as ContentDocument
  return render({
    id: contentId,
    versionId: version.id,
    document,
    theme: await findThemeDocument(db, environmentId, document.theme),
    values: () => undefined,
    outcome: () => null,
    idOf: (kind, key) => partId(version.id, kind, key),
  })
}
