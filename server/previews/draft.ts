import type { ContentDocument } from '../../contract/content/document.ts'
import { documentProblems } from '../../contract/content/validate.ts'
import { findContent } from '../content/queries.ts'
import type { ContentRow, VersionRow } from '../content/rows.ts'
import { findVersion } from '../content/version-queries.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'
import { type ApiError, errors } from '../errors.ts'

/** A content with its draft. */
export interface Draft {
  content: ContentRow
  version: VersionRow
  document: ContentDocument
}

export async function findDraft(
  db: Queryable,
  environmentId: EnvironmentId,
  contentId: string,
): Promise<Draft | undefined> {
  const content = await findContent(db, environmentId, contentId)
  const version = content && (await findVersion(db, environmentId, content.draft_version_id))
  return version && { content, version, document: JSON.parse(version.document) as ContentDocument }
}

/** The error of a draft that cannot be decided about yet; undefined when it can. */
export function unfinished(document: ContentDocument): ApiError | undefined {
  const [first] = documentProblems(document)
  return first && errors.invalidParams([`${first.path}: ${first.message}; the draft is not finished`])
}
