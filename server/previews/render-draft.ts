import { outcomesByLeaf, render, serverLeavesOf } from '../../contract/content/render.ts'
import type { RenderedContent } from '../../contract/content/rendered.ts'
import type { ThemeDocument } from '../../contract/content/theme.ts'
import { partId } from '../content/document-ids.ts'
import { findThemeDocuments, themeKeyOf } from '../content/theme-queries.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'
import { ofOne } from '../database/parts.ts'
import type { Draft } from './draft.ts'
import { asNobody, type Viewer } from './viewer.ts'

/** The draft as it is shown, finished or not: to nobody, or as one user would see it. */
export async function renderDraft(
  db: Queryable,
  environmentId: EnvironmentId,
  { content, version, document }: Draft,
  { values, outcomes, tasks }: Viewer = asNobody,
): Promise<RenderedContent> {
  const [[theme] = []] = await findThemeDocuments(db, ofOne(environmentId, [themeKeyOf(document)]))
  return render({
    id: content.id,
    versionId: version.id,
    document,
    values,
    theme: theme as ThemeDocument,
    outcome: outcomesByLeaf(serverLeavesOf(document), outcomes),
    idOf: (kind, key) => partId(version.id, kind, key),
    completedTasks: new Set(tasks),
  })
}
