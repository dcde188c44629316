import type { EnvironmentId, Transaction } from '../database/database.ts'
import type { Happening } from './outbox.ts'

export async function findActiveSubscriptions(
  db: Transaction,
  environmentId: EnvironmentId,
): Promise<{ id: string; topics: string[] }[]> {
  return await db.query<{ id: string; topics: string[] }>(
    'select id, topics from webhook_subscriptions where environment_id = $1::int and not disabled',
    [environmentId],
  )
}

export async function insertNotifications(
  db: Transaction,
  environmentId: EnvironmentId,
  notifications: readonly Happening[],
): Promise<void> {
  await db.query(
    `insert into webhook_notifications (environment_id, id, topic, object, user_id, group_id, created_at)
     select $1::int, * from unnest($2::uuid[], $3::text[], $4::jsonb[], $5::text[], $6::text[], $7::timestamptz[])`,
    [
      environmentId,
      notifications.map(({ id }) => id),
      notifications.map(({ topic }) => topic),
      notifications.map(({ object }) => object),
      notifications.map(({ userId }) => userId),
      notifications.map(({ groupId }) => groupId),
      notifications.map(({ at }) => at),
    ],
  )
}

export async function insertDeliveries(
  db: Transaction,
  environmentId: EnvironmentId,
  deliveries: readonly { subscriptionId: string; notificationId: string; dueAt: string }[],
): Promise<void> {
  await db.query(
    `insert into webhook_deliveries (environment_id, subscription_id, notification_id, due_at, attempt)
     select $1::int, subscription_id, notification_id, due_at, 0
       from unnest($2::uuid[], $3::uuid[], $4::timestamptz[]) as given (subscription_id, notification_id, due_at)`,
    [
      environmentId,
      deliveries.map(({ subscriptionId }) => subscriptionId),
      deliveries.map(({ notificationId }) => notificationId),
      deliveries.map(({ dueAt }) => dueAt),
    ],
  )
}

/** Removes what stored notifications hold of users or groups; their deliveries end with them. */
export async function deleteNotificationsOf(
  db: Transaction,
  environmentId: EnvironmentId,
  owner: 'user_id' | 'group_id',
  ids: readonly string[],
): Promise<void> {
  await db.query(
    `with gone as (
       delete from webhook_notifications
        where environment_id = $1::int and ${owner} = any($2::text[])
        returning id
     )
     delete from webhook_deliveries
      where environment_id = $1::int and notification_id in (select id from gone)`,
    [environmentId, ids],
  )
}
