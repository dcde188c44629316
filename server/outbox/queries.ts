import type { EnvironmentId, Queryable, Transaction } from '../database/database.ts'
import { type Forms, insertForms, jsonRows, mapForms, type Part, queryParts } from '../database/parts.ts'
import { planForValues } from '../database/plan-for-values.ts'

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

export interface ActiveSubscription {
  environmentId: EnvironmentId
  id: string
  topics: string[]
}

/** The active subscriptions of these environments, and the greatest ids that their deletions cover: new ids have to be greater. */
export async function findActiveSubscriptions(
  db: Transaction,
  environmentIds: readonly EnvironmentId[],
): Promise<{ subscriptions: ActiveSubscription[]; boundaries: string[] }> {
  type Row = { environmentId: EnvironmentId; id: string; topics: string[] | null }
  const parts = environmentIds.map((environmentId) => ({ environmentId, items: [environmentId] }))
  const rows = await queryParts<Row>(db, FIND, parts, [])
  const subscriptions = rows.filter((row): row is ActiveSubscription => row.topics !== null)
  return { subscriptions, boundaries: rows.filter(({ topics }) => topics === null).map(({ id }) => id) }
}

const findForm = (environmentIs: string, boundaries: string) => `
  (select environment_id as "environmentId", id, topics from webhook_subscriptions
    where environment_id ${environmentIs} and not disabled
    order by environment_id, id)
  union all
  (select environment_id, boundary, null from ${boundaries})`

const FIND: Forms = {
  one: findForm(
    '= $1::int',
    '(select * from pending_deletions where environment_id = $1::int order by boundary desc limit 1) as last',
  ),
  many: findForm(
    '= any($1::int[])',
    `unnest($1::int[]) as wanted_id
       cross join lateral (
         select environment_id, boundary from pending_deletions
          where environment_id = wanted_id order by boundary desc limit 1) as last`,
  ),
}

/** What the notifications of an environment assume: its subscriptions as JSON text, and their least id. */
export interface Expected {
  readonly environmentId: EnvironmentId
  readonly content: string
  readonly leastId: string
}

const activeIn = (environmentId: string) => `
  select coalesce(jsonb_agg(jsonb_build_array(id, topics) order by id), '[]')
    from webhook_subscriptions
   where environment_id = ${environmentId} and not disabled`
const coveredIn = (environmentId: string, leastId: string) => `
  exists (select from pending_deletions where environment_id = ${environmentId} and boundary >= ${leastId})`

/**
 * Divides by zero when the active subscriptions are not those of the JSON text `$3`, or when the id `$4` is covered by a
 * deletion. With several environments `$3` and `$4` are those of each, and the environments are in `$5`. Plain SQL has no
 * other way to raise an error, and so the statement needs no round trip before the next one.
 */
export const CONFIRMED: Forms = {
  one: `select 1 / ((${activeIn('$1::int')}) = $3::jsonb and not ${coveredIn('$1::int', '$4::uuid')})::int as confirmed`,
  many: `
    select 1 / bool_and((${activeIn('expected.environment_id')}) = content
                        and not ${coveredIn('expected.environment_id', 'least_id')})::int as confirmed
      from unnest($5::int[], $3::jsonb[], $4::uuid[]) as expected (environment_id, content, least_id)`,
}

/** The values of `CONFIRMED` from `$3` on. */
export function expectedValues(expected: readonly Expected[]): unknown[] {
  const [first] = expected
  if (expected.length === 1 && first) return [first.content, first.leastId]
  return [
    expected.map(({ content }) => content),
    expected.map(({ leastId }) => leastId),
    expected.map(({ environmentId }) => environmentId),
  ]
}

/** Inserts the notifications in the JSON document of this parameter. */
export const notificationsInsert = (parameter: string): Forms =>
  insertForms(
    ({ environmentId, from, declared, where }) => `
      insert into webhook_notifications (environment_id, id, topic, object, user_id, group_id, created_at)
      select ${environmentId}, id, topic, object, "userId", "groupId", at
        from ${from}json_to_recordset(${parameter}::json)
          as given (${declared}id uuid, topic text, object text, "userId" text, "groupId" text, at timestamptz)
       where ${where}`,
  )
const INSERT_NOTIFICATIONS = notificationsInsert('$2')

export async function insertNotifications(db: Queryable, notifications: readonly Part<Notification>[]): Promise<void> {
  await queryParts(db, INSERT_NOTIFICATIONS, notifications, [jsonRows(notifications, JSON.stringify)])
}

/** One notification and its subscriptions. */
export interface NewDeliveries {
  notificationId: string
  subscriptionIds: readonly string[]
  dueAt: string
  expiresAt: string
}

/** Inserts the deliveries in the JSON document of this parameter. A waiting delivery is not changed, so that a replay cannot double it. */
export const deliveriesInsert = (parameter: string): Forms =>
  insertForms(
    ({ environmentId, from, declared, where }) => `
      insert into webhook_deliveries (environment_id, notification_id, subscription_id, state, due_at, attempt, expires_at)
      select ${environmentId}, "notificationId", subscription_id, 0, "dueAt", 0, "expiresAt"
        from ${from}json_to_recordset(${parameter}::json)
          as given (${declared}"notificationId" uuid, "subscriptionIds" uuid[], "dueAt" timestamptz, "expiresAt" timestamptz),
             unnest("subscriptionIds") as subscription_id
       where ${where}
      on conflict do nothing`,
  )
const INSERT_DELIVERIES = mapForms(deliveriesInsert('$2'), (insert) => `${insert} returning 1`)

/** Returns the number of new deliveries. */
export async function insertDeliveries(db: Queryable, deliveries: readonly Part<NewDeliveries>[]): Promise<number> {
  const values = [jsonRows(deliveries, JSON.stringify)]
  return (await queryParts(db, INSERT_DELIVERIES, deliveries, values)).length
}

/**
 * Deletes the stored notifications about users or groups, with their deliveries and the log of their attempts, since the
 * answer of a receiver may quote the notification.
 *
 * The order matters: an attempt that is being settled holds the lock of its delivery. The deletion of the delivery waits
 * for it, and the deletion of attempts, a statement of its own, then sees what it has written.
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
