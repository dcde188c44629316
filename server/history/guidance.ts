import type { Queryable } from '../database/database.ts'
import { type Forms, queryParts } from '../database/forms.ts'
import { type Indexed, itemsOf, type Part, rowsByPart } from '../database/parts.ts'

/** Whether a content may start, as its environment says it now. */
export interface GuidanceRow {
  contentId: string
  publishedVersionId: string | null
  isOff: boolean
  quietMs: number
  /** What started before is over, or was when it was published; null when nothing was let end. In milliseconds. */
  endsBefore: number | null
}

const find = (environmentId: string) => `
  cross join lateral (
    select content.id as "contentId", content.published_version_id as "publishedVersionId",
           coalesce(guidance.is_off, false) as "isOff", coalesce(guidance.quiet_ms, 0)::float8 as "quietMs",
           (extract(epoch from content.ends_before) * 1000)::float8 as "endsBefore"
      from content left join guidance on guidance.environment_id = content.environment_id
     where content.environment_id = ${environmentId} and content.id = wanted.id
    offset 0) as found`

const FIND: Forms = {
  one: `select found.* from unnest($2::uuid[]) as wanted (id) ${find('$1::int')}`,
  many: `
    select key_number::int, found.*
      from unnest($1::int[], $2::uuid[]) with ordinality as wanted (environment_id, id, key_number)
      ${find('wanted.environment_id')}`,
}

export async function findGuidance(db: Queryable, contentIds: readonly Part<string>[]): Promise<GuidanceRow[][]> {
  const rows = await queryParts<GuidanceRow & Indexed & Record<string, unknown>>(db, FIND, contentIds, [
    itemsOf(contentIds),
  ])
  return rowsByPart(contentIds, rows)
}

/** The clock of the database, in whole milliseconds. In a transaction it is the time after the locks that were asked for before. */
export async function readClock(db: Queryable): Promise<number> {
  const [row] = await db.query<{ now: number }>(
    'select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as now',
    [],
  )
  return (row as { now: number }).now
}
