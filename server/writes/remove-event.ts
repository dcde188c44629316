import { deleteEvents } from '../deletions/events.ts'
import { deleteNotificationsOfEvents } from '../deletions/notifications.ts'
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
