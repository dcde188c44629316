import type { EnvironmentId, Transaction } from '../database/database.ts'
import { planForValues } from '../database/plan-for-values.ts'
import { firstRowsOf, firstRowsValues, type Removal, type RemovedPart } from '../deletions/steps.ts'

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
  const notificationIds = found.map(({ id }) => id)
  const last = notificationIds.at(-1)
  if (last === undefined) return { isLeft: false, last: undefined }
  await Promise.all([
    planForValues(db),
    deleteByNotification(db, 'webhook_notifications', 'id', environmentId, notificationIds),
    deleteByNotification(db, 'webhook_deliveries', 'notification_id', environmentId, notificationIds),
    deleteByNotification(db, 'webhook_attempts', 'notification_id', environmentId, notificationIds),
  ])
  return { isLeft: found.length === part.most, last: [last] }
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
