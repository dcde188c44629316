import type { Database, EnvironmentId, Queryable } from '../database/database.ts'
import { isNotDeleted, isNotDeletedByKey, isOfShownNotification } from '../deletions/pending.ts'
import { leastIdAt } from '../ids.ts'
import type { AttemptRow } from './deliveries/queries.ts'
import { AT_ONCE } from './delivery/due-times.ts'
import { type DeliveryState, RETRYING, SENDING } from './delivery/states.ts'

export interface WaitingRow {
  notification_id: string
  subscription_id: string
  topic: string | null
  /** Attempts made so far. */
  attempt: number
  due_at: string
  expires_at: string
  state: DeliveryState
  /** Of its subscription. */
  disabled: boolean
  /** Failed attempts of its endpoint since the last success. */
  endpoint_failures: number
}

/** Whether its notification is not left over from the deletion of a user or group. */
export interface Hideable {
  is_shown: boolean
}

/** The earliest first. */
export async function findWaiting(
  db: Database,
  environmentId: EnvironmentId,
  subscriptionId: string | undefined,
  limit: number,
): Promise<(WaitingRow & Hideable)[]> {
  return await db.queryUnprepared<WaitingRow & Hideable>(
    `select delivery.notification_id, delivery.subscription_id, notification.topic, delivery.attempt,
            delivery.due_at, delivery.expires_at, delivery.state,
            coalesce(subscription.disabled, false) as disabled, coalesce(endpoint.failures, 0) as endpoint_failures,
            ${isOfShownNotification('delivery')} as is_shown
       from (select * from webhook_deliveries
              where environment_id = $1::int and ($2::uuid is null or subscription_id = $2::uuid)
              order by due_at, notification_id
              limit $3::int) as delivery
       left join webhook_notifications as notification
         on notification.environment_id = $1::int and notification.id = delivery.notification_id
       left join webhook_subscriptions as subscription
         on subscription.environment_id = $1::int and subscription.id = delivery.subscription_id
       left join webhook_endpoints as endpoint
         on endpoint.environment_id = $1::int and endpoint.subscription_id = delivery.subscription_id
      order by delivery.due_at, delivery.notification_id`,
    [environmentId, subscriptionId, limit],
  )
}

/** The latest of each subscription, from the index that begins with it; then the latest of these. */
export async function findAttempts(
  db: Database,
  environmentId: EnvironmentId,
  subscriptionId: string | undefined,
  limit: number,
): Promise<(AttemptRow & Hideable)[]> {
  return await db.queryUnprepared<AttemptRow & Hideable>(
    `select attempt.*, ${isOfShownNotification('attempt')} as is_shown
       from (select id from webhook_subscriptions
              where environment_id = $1::int and ($2::uuid is null or id = $2::uuid)) as subscription
      cross join lateral (
        select id, subscription_id, notification_id, attempt, at, status, failure,
               name_ms, connect_ms, tls_ms, first_byte_ms, total_ms, response, next_attempt_at
          from webhook_attempts
         where environment_id = $1::int and subscription_id = subscription.id
         order by id desc
         limit $3::int) as attempt
      order by attempt.id desc
      limit $3::int`,
    [environmentId, subscriptionId, limit],
  )
}

/**
 * The id of a subscription is unique over all environments. Two statements: on a cluster, a table of the coordinator and
 * a distributed one cannot be joined.
 */
export async function findEnvironmentOfSubscription(db: Database, id: string): Promise<EnvironmentId | undefined> {
  const environments = await db.query<{ id: EnvironmentId }>('select id from environments', [])
  const [row] = await db.query<{ environmentId: EnvironmentId }>(
    `select environment_id as "environmentId"
       from webhook_subscriptions
      where environment_id = any($1::int[]) and id = $2::uuid`,
    [environments.map((environment) => environment.id), id],
  )
  return row?.environmentId
}

export interface ListedSubscription {
  id: string
  url: string
  topics: string[]
  disabled: boolean
  failures: number
  failing_since: string | null
}

export async function listSubscriptions(db: Database, environmentId: EnvironmentId): Promise<ListedSubscription[]> {
  return await db.query<ListedSubscription>(
    `select subscription.id, subscription.url, subscription.topics, subscription.disabled,
            coalesce(endpoint.failures, 0) as failures, endpoint.failing_since
       from webhook_subscriptions as subscription
       left join webhook_endpoints as endpoint
         on endpoint.environment_id = $1::int and endpoint.subscription_id = subscription.id
      where subscription.environment_id = $1::int and subscription.listener_until is null
      order by subscription.created_at, subscription.id`,
    [environmentId],
  )
}

export async function findWaitingOf(
  db: Queryable,
  environmentId: EnvironmentId,
  subscriptionId: string,
  notificationId: string,
): Promise<boolean> {
  const rows = await db.query(
    `select from webhook_deliveries
      where environment_id = $1::int and notification_id = $2::uuid and subscription_id = $3::uuid`,
    [environmentId, notificationId, subscriptionId],
  )
  return rows.length > 0
}

/** It is sent at once. Does not change a delivery that is being sent. Returns whether there was a waiting one. */
export async function pullForward(
  db: Queryable,
  environmentId: EnvironmentId,
  subscriptionId: string,
  notificationId: string,
): Promise<boolean> {
  const rows = await db.query(
    `update webhook_deliveries set due_at = $4::timestamptz, state = least(state, ${RETRYING})
      where environment_id = $1::int and notification_id = $2::uuid and subscription_id = $3::uuid and state <> ${SENDING}
     returning 1`,
    [environmentId, notificationId, subscriptionId, AT_ONCE],
  )
  return rows.length > 0
}

export async function notificationExists(db: Queryable, environmentId: EnvironmentId, id: string): Promise<boolean> {
  const rows = await db.query(
    `select from webhook_notifications
      where environment_id = $1::int and id = $2::uuid and ${isNotDeletedByKey('webhook_notifications')}`,
    [environmentId, id],
  )
  return rows.length > 0
}

interface NotificationRange {
  since: Date
  until: Date
  after: string | undefined
  limit: number
}

const PAGE = `
  select id, topic
    from webhook_notifications
   where environment_id = $1::int and id >= $2::uuid and id < $3::uuid and ($4::uuid is null or id > $4::uuid)
     and ${isNotDeleted('webhook_notifications')}
   order by id
   limit $5::int`

const pageValues = (environmentId: EnvironmentId, { since, until, after, limit }: NotificationRange) =>
  [environmentId, leastIdAt(since.getTime()), leastIdAt(until.getTime()), after, limit] as const

/** Notifications in the order of their ids, which is that of their time. */
export async function findNotificationPage(
  db: Database,
  environmentId: EnvironmentId,
  range: NotificationRange,
): Promise<{ id: string; topic: string }[]> {
  return await db.queryUnprepared<{ id: string; topic: string }>(PAGE, pageValues(environmentId, range))
}

/** How many such a page has of each topic, with the last id of each. */
export async function countNotificationPage(
  db: Database,
  environmentId: EnvironmentId,
  range: NotificationRange,
): Promise<{ topic: string; count: number; last: string }[]> {
  return await db.queryUnprepared<{ topic: string; count: number; last: string }>(
    `select topic, count(*)::int as count, max(id::text) as last from (${PAGE}) as page group by topic`,
    pageValues(environmentId, range),
  )
}
