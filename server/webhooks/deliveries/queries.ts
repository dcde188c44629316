import type { EnvironmentId, Reader } from '../../database/database.ts'
import { isNotDeletedByKey, isOfShownNotification } from '../../deletions/pending.ts'
import type { DeliveryState } from '../delivery/states.ts'

export interface AttemptRow {
  id: string
  subscription_id: string
  notification_id: string
  /** 1 for the first. */
  attempt: number
  at: string
  status: number | null
  failure: string | null
  name_ms: number | null
  connect_ms: number | null
  tls_ms: number | null
  first_byte_ms: number | null
  total_ms: number
  response: string
  next_attempt_at: string | null
}

/** A delivery: of webhook_deliveries while it is not finished, of its last attempt afterwards. */
export interface DeliveryRow {
  notification_id: string
  topic: string | null
  created_at: string | null
  /** Of its notification. */
  user_id: string | null
  group_id: string | null
  /** Null when it is finished. */
  state: DeliveryState | null
  due_at: string | null
  expires_at: string | null
  attempts: number
  /** False when its notification is left over from the deletion of a user or group. */
  is_shown: boolean
}

export interface DeliveryRange {
  /** Stored states of the unfinished ones. */
  states: readonly DeliveryState[]
  /** Of the finished ones: true for delivered, false for given up. */
  finished: readonly boolean[]
  /** The first and the last id of notifications, both included. They begin with their time. */
  fromId: string
  toId: string
  descending: boolean
  limit: number
}

const ATTEMPT = `id, subscription_id, notification_id, attempt, at, status, failure,
  name_ms, connect_ms, tls_ms, first_byte_ms, total_ms, response, next_attempt_at`

/**
 * The deliveries of a subscription in the order of their notifications: from the index of each wanted state, and from the
 * index of last attempts, at most a page of each. A finished delivery that was sent again is returned once, as it is now.
 *
 * The state is compared together with the notification, so only its index has the order. `offset 0` keeps the conditions
 * look-ups by key. Without both PostgreSQL read all 200,000 deliveries of a subscription for a page of ten: 1.1 s.
 */
export async function findDeliveries(
  db: Reader,
  environmentId: EnvironmentId,
  subscriptionId: string,
  { states, finished, fromId, toId, descending, limit }: DeliveryRange,
): Promise<DeliveryRow[]> {
  const order = descending ? 'desc' : 'asc'
  return await db.queryUnprepared<DeliveryRow>(
    `with page as (
       select * from (
         select unfinished.*
           from unnest($3::smallint[]) as wanted (state)
          cross join lateral (
            select notification_id, state, due_at, expires_at, attempt as attempts
              from webhook_deliveries
             where environment_id = $1::int and subscription_id = $2::uuid
               and (state, notification_id) >= (wanted.state, $5::uuid)
               and (state, notification_id) <= (wanted.state, $6::uuid)
             order by state ${order}, notification_id ${order}
             limit $7::int) as unfinished
         union all
         select final.*
           from unnest($4::boolean[]) as wanted (is_delivered)
          cross join lateral (
            select notification_id, null::smallint, null::timestamptz, null::timestamptz, attempt
              from webhook_attempts as last
             where environment_id = $1::int and subscription_id = $2::uuid and (failure is null) = wanted.is_delivered
               and next_attempt_at is null and notification_id >= $5::uuid and notification_id <= $6::uuid
               and not exists (
                 select from webhook_deliveries as again
                  where again.environment_id = $1::int and again.notification_id = last.notification_id
                    and again.subscription_id = $2::uuid
                 offset 0)
               and not exists (
                 select from webhook_attempts as later
                  where later.environment_id = $1::int and later.notification_id = last.notification_id
                    and later.subscription_id = $2::uuid and later.id > last.id
                 offset 0)
             order by notification_id ${order}
             limit $7::int) as final
       ) as found
       order by notification_id ${order}
       limit $7::int
     )
     select page.notification_id, page.state, page.due_at, page.expires_at, page.attempts,
            notification.topic, notification.created_at, notification.user_id, notification.group_id, ${isOfShownNotification('page')} as is_shown
       from page
       left join lateral (
         select topic, created_at, user_id, group_id from webhook_notifications
          where environment_id = $1::int and id = page.notification_id
         offset 0) as notification on true
      order by page.notification_id ${order}`,
    [environmentId, subscriptionId, states, finished, fromId, toId, limit],
  )
}

export async function findAttemptsOf(
  db: Reader,
  environmentId: EnvironmentId,
  subscriptionId: string,
  notificationId: string,
  limit: number,
): Promise<AttemptRow[]> {
  return await db.query<AttemptRow>(
    `select ${ATTEMPT}
       from webhook_attempts
      where environment_id = $1::int and notification_id = $2::uuid and subscription_id = $3::uuid
      order by id desc
      limit $4::int`,
    [environmentId, notificationId, subscriptionId, limit],
  )
}

/** With how many attempts were made in all, also before the delivery was sent again. */
export type LastAttempt = AttemptRow & { made: number }

/** The last attempt of each of these deliveries that has had any. */
export async function findLastAttempts(
  db: Reader,
  environmentId: EnvironmentId,
  subscriptionId: string,
  notificationIds: readonly string[],
): Promise<LastAttempt[]> {
  return await db.query<LastAttempt>(
    `select attempt.*
       from unnest($3::uuid[]) as wanted (notification_id)
      cross join lateral (
        select ${ATTEMPT}, count(*) over () as made
          from webhook_attempts
         where environment_id = $1::int and subscription_id = $2::uuid and notification_id = wanted.notification_id
         order by id desc
         limit 1) as attempt`,
    [environmentId, subscriptionId, notificationIds],
  )
}

/** Failed attempts of an endpoint since its last success. */
export async function findEndpointFailures(
  db: Reader,
  environmentId: EnvironmentId,
  subscriptionId: string,
): Promise<number> {
  const [row] = await db.query<{ failures: number }>(
    'select failures from webhook_endpoints where environment_id = $1::int and subscription_id = $2::uuid',
    [environmentId, subscriptionId],
  )
  return row?.failures ?? 0
}

export interface StoredNotification {
  id: string
  topic: string
  /** JSON text. */
  object: string
  user_id: string | null
  group_id: string | null
  created_at: string
}

export async function findNotification(
  db: Reader,
  environmentId: EnvironmentId,
  id: string,
): Promise<StoredNotification | undefined> {
  const [row] = await db.query<StoredNotification>(
    `select id, topic, object, user_id, group_id, created_at
       from webhook_notifications
      where environment_id = $1::int and id = $2::uuid and ${isNotDeletedByKey('webhook_notifications')}`,
    [environmentId, id],
  )
  return row
}
