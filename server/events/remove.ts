import type { Work } from '../batches/work.ts'
import type { EnvironmentId, Transaction } from '../database/database.ts'
import { deleteNotificationsOfEvents } from '../outbox/removal.ts'

/**
 * Deletes single events with their notifications, in the order of the environment's writes: an event that was acknowledged
 * before is always found.
 */
export const removeEvents: Work<string, true> = async (transaction, environmentId, ids) => {
  await Promise.all([
    deleteEvents(transaction, environmentId, ids),
    deleteNotificationsOfEvents(transaction, environmentId, ids),
  ])
  return ids.map(() => true)
}

/** Locks in id order, so that two nodes that delete the same events cannot deadlock. */
async function deleteEvents(db: Transaction, environmentId: EnvironmentId, ids: readonly string[]): Promise<void> {
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
