import type { EnvironmentId, Transaction } from '../database/database.ts'
import { deleteNotificationsOfEvents } from '../outbox/removal.ts'
import type { RemoveEventJob } from './jobs.ts'
import type { JobKind } from './kind.ts'

/**
 * Deletes single events with their notifications, in the order of the environment's writes: an event that was acknowledged
 * before is always found.
 */
export const removeEvent: JobKind<RemoveEventJob, true> = {
  isRemoval: true,
  sees: 'everything',
  about: ({ id }) => [`event ${id}`],
  apply: () => true,
  store: (transaction, parts) =>
    Promise.all(
      parts.flatMap(({ environmentId, items }) => {
        const ids = items.map(({ id }) => id)
        return [
          deleteEvents(transaction, environmentId, ids),
          deleteNotificationsOfEvents(transaction, environmentId, ids),
        ]
      }),
    ),
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
