import type { EnvironmentId, Transaction } from '../database/database.ts'
import { planForValues } from '../database/plan-for-values.ts'

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
  { owner, ids, boundary, most }: { owner: 'user' | 'group'; ids: readonly string[]; boundary: string; most: number },
): Promise<number> {
  const found = await db.query<{ id: string }>(
    `select found.id from unnest($2::text[]) as deleted (owner_id)
      cross join lateral (
        select id from webhook_notifications
         where environment_id = $1::int and ${owner}_id = deleted.owner_id and id <= $3::uuid
         limit $4::int) as found
      limit $4::int`,
    [environmentId, ids, boundary, most],
  )
  if (found.length === 0) return 0
  const notificationIds = found.map(({ id }) => id)
  await Promise.all([
    planForValues(db),
    deleteByNotification(db, 'webhook_notifications', 'id', environmentId, notificationIds),
    deleteByNotification(db, 'webhook_deliveries', 'notification_id', environmentId, notificationIds),
    deleteByNotification(db, 'webhook_attempts', 'notification_id', environmentId, notificationIds),
  ])
  return found.length
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
