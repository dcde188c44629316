import type { EnvironmentId, Queryable } from '../../database/database.ts'
import { isNotDeleted, isNotDeletedByKey } from '../../deletions/pending.ts'
import { withinBytes } from '../../lists/measured.ts'
import type { DeliveryState } from '../../webhooks/delivery/states.ts'
import type { TimelinePosition } from './timeline-position.ts'

type OwnerColumn = 'user_id' | 'group_id'

export interface TimelineEventRow {
  id: string
  name: string
  time: string
  created_at: string
  user_id: string | null
  group_id: string | null
  attributesJson: string
}

const EVENT = 'id, name, time, created_at, user_id, group_id, attributes as "attributesJson"'

interface PlacedEventRow extends TimelineEventRow {
  ms: number
  /** How many there are up to the limit: more than are read when these have too many bytes. */
  found: number
}

/** By their own time, which may be years before they were stored. */
export async function listEventsOf(
  db: Queryable,
  environmentId: EnvironmentId,
  owner: OwnerColumn,
  id: string,
  before: TimelinePosition,
  limit: number,
): Promise<PlacedEventRow[]> {
  const page = `
    select * from events
     where environment_id = $1::int and ${owner} = $2::text and (time, id) < (to_timestamp($3::float8 / 1000), $4::uuid)
       and ${isNotDeleted('events')}
     order by time desc, id desc
     limit $5::int`
  return await db.query<PlacedEventRow>(
    withinBytes(`${EVENT}, (extract(epoch from time) * 1000)::bigint as ms`, page, 'time desc, id desc'),
    [environmentId, id, before.ms, before.id, limit],
  )
}

export async function findEvent(
  db: Queryable,
  environmentId: EnvironmentId,
  id: string,
): Promise<TimelineEventRow | undefined> {
  const [row] = await db.query<TimelineEventRow>(
    `select ${EVENT} from events where environment_id = $1::int and id = $2::uuid and ${isNotDeletedByKey('events')}`,
    [environmentId, id],
  )
  return row
}

export interface TimelineNotificationRow {
  id: string
  topic: string
  created_at: string
}

export async function listNotificationsOf(
  db: Queryable,
  environmentId: EnvironmentId,
  owner: OwnerColumn,
  id: string,
  before: string,
  limit: number,
): Promise<TimelineNotificationRow[]> {
  return await db.query<TimelineNotificationRow>(
    `select id, topic, created_at
       from webhook_notifications
      where environment_id = $1::int and ${owner} = $2::text and id < $3::uuid and ${isNotDeleted('webhook_notifications')}
      order by id desc
      limit $4::int`,
    [environmentId, id, before, limit],
  )
}

export interface DeliveryStateRow {
  notification_id: string
  subscription_id: string
  url: string
  disabled: boolean
  /** Null when the delivery is finished. */
  state: DeliveryState | null
  attempts: number
  status: number | null
  failure: string | null
}

/** The state of notifications at each endpoint that still exists: the waiting delivery, and the latest attempt. */
export async function findDeliveryStates(
  db: Queryable,
  environmentId: EnvironmentId,
  notificationIds: readonly string[],
): Promise<DeliveryStateRow[]> {
  return await db.query<DeliveryStateRow>(
    `select coalesce(delivery.notification_id, attempt.notification_id) as notification_id, subscription.id as subscription_id,
            subscription.url, subscription.disabled, delivery.state,
            coalesce(attempt.attempt, delivery.attempt, 0) as attempts, attempt.status, attempt.failure
       from (select notification_id, subscription_id, state, attempt
               from webhook_deliveries
              where environment_id = $1::int and notification_id = any($2::uuid[])) as delivery
       full join (select distinct on (notification_id, subscription_id)
                         notification_id, subscription_id, attempt, status, failure
                    from webhook_attempts
                   where environment_id = $1::int and notification_id = any($2::uuid[])
                   order by notification_id, subscription_id, id desc) as attempt
              on attempt.notification_id = delivery.notification_id and attempt.subscription_id = delivery.subscription_id
       join webhook_subscriptions as subscription
         on subscription.environment_id = $1::int
        and subscription.id = coalesce(delivery.subscription_id, attempt.subscription_id)
      order by subscription.created_at, subscription.id`,
    [environmentId, notificationIds],
  )
}
