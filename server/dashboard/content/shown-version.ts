import type { ContentRow, VersionRow } from '../../content/rows.ts'
import { findVersion, findVersionByNumber } from '../../content/version-queries.ts'
import type { EnvironmentId, Queryable } from '../../database/database.ts'
import { errors } from '../../errors.ts'

/** The version that is asked for; else the published one, else the draft. */
export async function shownVersion(
  db: Queryable,
  id: EnvironmentId,
  content: ContentRow,
  number: number | undefined,
): Promise<VersionRow> {
  const version =
    number === undefined
      ? await findVersion(db, id, content.published_version_id ?? content.draft_version_id)
      : await findVersionByNumber(db, id, content.id, number)
  if (!version) throw errors.gone('Version', String(number))
  return version
}
