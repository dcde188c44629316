import type { EnvironmentId, Transaction } from '../database/database.ts'
import { planForValues } from '../database/plan-for-values.ts'
import { isAssigned, leastIdAt, timeOfId } from '../ids.ts'
import { firstRowsOf, firstRowsValues, type Removal, type RemovedPart } from './steps.ts'

/**
 * Deletes the stored notifications about users or groups, with their deliveries and the log of their attempts, since
 * the answer of a receiver may quote the notification.
 *
 * The order matters: an attempt that is being settled holds the lock of its delivery. The deletion of the delivery
 * waits for it. The deletion of attempts is a separate statement, so it then sees the written attempt.
 */
export async function deleteNotificationsOf(
  db: Transaction,
  environmentId: EnvironmentId,
  part: RemovedPart,
): Promise<Removal> {
  const found = await db.query<{ id: string }>(
    firstRowsOf('webhook_notifications', part.owner, 'id'),
    firstRowsValues(environmentId, part),
  )
  const last = found.at(-1)?.id
  if (last === undefined) return { isLeft: false, last: undefined }
  await deleteNotifications(db, environmentId, found)
  return { isLeft: found.length === part.most, last: [last] }
}

/** The same for the notifications of single events, whether the events are still stored or not. */
export async function deleteNotificationsOfEvents(
  db: Transaction,
  environmentId: EnvironmentId,
  eventIds: readonly string[],
): Promise<void> {
  const assigned = eventIds.filter((id) => isAssigned(id))
  const found = assigned.length > 0 ? await findNotificationsOfEvents(db, environmentId, assigned) : []
  if (found.length > 0) await deleteNotifications(db, environmentId, found)
}

/** An id and the one that the same node makes next differ by one millisecond at most (`newId`). */
const UNTIL_MS = 2

/**
 * A notification does not name its event: a column or an index for it would cost every event. Its id is the next one
 * after that of the event (`trackEvent`), so the primary key leads to it, past those of other nodes, and its object
 * begins with the id of the event (`renderEvent`).
 */
async function findNotificationsOfEvents(
  db: Transaction,
  environmentId: EnvironmentId,
  eventIds: readonly string[],
): Promise<{ id: string }[]> {
  const until = eventIds.map((id) => leastIdAt(timeOfId(id) + UNTIL_MS))
  return await db.query<{ id: string }>(
    `select found.id
       from unnest($2::uuid[], $3::uuid[]) as event (id, until)
      cross join lateral (
        select id from webhook_notifications as notification
         where notification.environment_id = $1::int
           and notification.id > event.id and notification.id < event.until
           and starts_with(notification.object, '{"id":"' || event.id || '","object":"event"')
         order by id
         limit 1) as found`,
    [environmentId, eventIds, until],
  )
}

async function deleteNotifications(
  db: Transaction,
  environmentId: EnvironmentId,
  notifications: readonly { id: string }[],
): Promise<void> {
  const ids = notifications.map(({ id }) => id)
  await Promise.all([
    planForValues(db),
    deleteByNotification(db, 'webhook_notifications', 'id', environmentId, ids),
    deleteByNotification(db, 'webhook_deliveries', 'notification_id', environmentId, ids),
    deleteByNotification(db, 'webhook_attempts', 'notification_id', environmentId, ids),
  ])
}

async function deleteByNotification(
  db: Transaction,
  table: 'webhook_notifications' | 'webhook_deliveries' | 'webhook_attempts',
  column: 'id' | 'notification_id',
  environmentId: EnvironmentId,
  notificationIds: readonly string[],
): Promise<void> {
  await db.query(`delete from ${table} where environment_id = $1::int and ${column} = any($2::uuid[])`, [
    environmentId,
    notificationIds,
  ])
}
