import type { EnvironmentId, Queryable, Transaction } from '../database/database.ts'

/** What happened to an object, with the object as it is right after the write. */
export interface Notification {
  id: string
  topic: string
  /** JSON text. */
  object: string
  userId: string | null
  groupId: string | null
  at: string
}

/** Those of an environment, and the greatest id that a deletion of it covers: new ids have to be greater. */
export async function findActiveSubscriptions(
  db: Transaction,
  environmentId: EnvironmentId,
): Promise<{ subscriptions: { id: string; topics: string[] }[]; boundary: string | undefined }> {
  const rows = await db.query<{ id: string; topics: string[] | null }>(
    `(select id, topics from webhook_subscriptions where environment_id = $1::int and not disabled order by id)
     union all
     (select boundary, null from pending_deletions where environment_id = $1::int order by boundary desc limit 1)`,
    [environmentId],
  )
  const subscriptions = rows.filter((row): row is { id: string; topics: string[] } => row.topics !== null)
  return { subscriptions, boundary: rows.find(({ topics }) => topics === null)?.id }
}

/**
 * Divides by zero when the active subscriptions are not those of the JSON text in the first parameter, or when the id in
 * the second one is covered by a deletion. Plain SQL has no other way to fail, and so nobody has to wait for an answer.
 */
export const confirmedSubscriptions = (content: string, leastId: string) => `
  select 1 / (coalesce(jsonb_agg(jsonb_build_array(id, topics) order by id), '[]') = ${content}::jsonb
              and not exists (select from pending_deletions
                               where environment_id = $1::int and boundary >= ${leastId}::uuid))::int as confirmed
    from webhook_subscriptions
   where environment_id = $1::int and not disabled`

/** Of the rows in the JSON document of this parameter: those of `Notification`. */
export const notificationsInsert = (parameter: string) => `
  insert into webhook_notifications (environment_id, id, topic, object, user_id, group_id, created_at)
  select $1::int, id, topic, object, "userId", "groupId", at
    from json_to_recordset(${parameter}::json)
      as given (id uuid, topic text, object text, "userId" text, "groupId" text, at timestamptz)`

export async function insertNotifications(
  db: Queryable,
  environmentId: EnvironmentId,
  notifications: readonly Notification[],
): Promise<void> {
  await db.query(notificationsInsert('$2'), [environmentId, JSON.stringify(notifications)])
}

/** One notification, and whom it has to be told to. */
export interface NewDeliveries {
  notificationId: string
  subscriptionIds: readonly string[]
  dueAt: string
  expiresAt: string
}

/** Of those in the JSON document of this parameter. One that waits already stays as it is, so that a replay cannot double it. */
export const deliveriesInsert = (parameter: string) => `
  insert into webhook_deliveries (environment_id, notification_id, subscription_id, state, due_at, attempt, expires_at)
  select $1::int, "notificationId", subscription_id, 0, "dueAt", 0, "expiresAt"
    from json_to_recordset(${parameter}::json)
      as given ("notificationId" uuid, "subscriptionIds" uuid[], "dueAt" timestamptz, "expiresAt" timestamptz),
         unnest("subscriptionIds") as subscription_id
  on conflict do nothing`

/** Returns how many are new. */
export async function insertDeliveries(
  db: Queryable,
  environmentId: EnvironmentId,
  deliveries: readonly NewDeliveries[],
): Promise<number> {
  const [row] = await db.query<{ written: number }>(
    `with written as (${deliveriesInsert('$2')} returning 1) select count(*)::int as written from written`,
    [environmentId, JSON.stringify(deliveries)],
  )
  return row?.written ?? 0
}

/**
 * Removes what stored notifications hold of users or groups; their deliveries end with them, and so does the log of their
 * attempts, since a receiver may have answered with what it was sent.
 *
 * The order matters: an attempt that is being settled holds the lock of its delivery. The deletion of the delivery waits
 * for it, and the deletion of attempts, a statement of its own, then sees what it has written.
 */
export async function deleteNotificationsOf(
  db: Transaction,
  environmentId: EnvironmentId,
  { owner, ids, boundary, most }: { owner: 'user' | 'group'; ids: readonly string[]; boundary: string; most: number },
): Promise<number> {
  const gone = await db.query<{ id: string }>(
    `delete from webhook_notifications
      where environment_id = $1::int and id = any(array(
        select id from webhook_notifications
         where environment_id = $1::int and ${owner}_id = any($2::text[]) and id <= $3::uuid
         limit $4::int))
     returning id`,
    [environmentId, ids, boundary, most],
  )
  if (gone.length === 0) return 0
  const notificationIds = gone.map(({ id }) => id)
  await Promise.all([
    deleteByNotification(db, 'webhook_deliveries', environmentId, notificationIds),
    deleteByNotification(db, 'webhook_attempts', environmentId, notificationIds),
  ])
  return gone.length
}

async function deleteByNotification(
  db: Transaction,
  table: 'webhook_deliveries' | 'webhook_attempts',
  environmentId: EnvironmentId,
  notificationIds: readonly string[],
): Promise<void> {
  await db.query(`delete from ${table} where environment_id = $1::int and notification_id = any($2::uuid[])`, [
    environmentId,
    notificationIds,
  ])
}
