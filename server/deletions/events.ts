import type { EnvironmentId, Transaction } from '../database/database.ts'
import { firstRowsOf, firstRowsValues, type Removal, type RemovedPart } from './steps.ts'

/** Deletes the first events of users or groups. */
export async function deleteEventsOf(
  db: Transaction,
  environmentId: EnvironmentId,
  part: RemovedPart,
): Promise<Removal> {
  const find = firstRowsOf('events', part.owner, 'id, ctid as row_id')
  const text = deleteFoundEvents(find, db.isDistributed)
  const [row] = await db.query<FoundEvents & Record<string, unknown>>(text, firstRowsValues(environmentId, part))
  if (!row?.lastId) return { isLeft: false, last: undefined }
  return { isLeft: row.count === part.most, last: [row.lastId] }
}

/**
 * What `deleteFoundEvents` returns. It includes events that another transaction deleted at the same time: more may
 * follow them.
 */
export interface FoundEvents {
  count: number
  lastId: string | null
}

/**
 * Deletes the events that this statement finds: it returns their `id` and `ctid as row_id`. Events are never changed, so a
 * row is where it was found, and no index is searched again. A sharded PostgreSQL deletes by the id.
 */
export function deleteFoundEvents(find: string, isDistributed: boolean): string {
  const where = isDistributed
    ? 'environment_id = $1::int and id = any(array(select id from found))'
    : 'environment_id + 0 = $1::int and ctid = any(array(select row_id from found))'
  return `
    with found as materialized (${find}),
         gone as (delete from events where ${where})
    select count(*)::int as count, (select id from found order by id desc limit 1) as "lastId" from found`
}

/** Deletes single events. Locks in id order, so that two nodes that delete the same events cannot deadlock. */
export async function deleteEvents(
  db: Transaction,
  environmentId: EnvironmentId,
  ids: readonly string[],
): Promise<void> {
  await db.query(
    `delete from events
      where environment_id = $1::int
        and id in (select id from events
                    where environment_id = $1::int and id = any($2::uuid[])
                    order by id
                      for update)`,
    [environmentId, ids],
  )
}
