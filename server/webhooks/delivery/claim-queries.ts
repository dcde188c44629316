import type { Database, EnvironmentId } from '../../database/database.ts'
import { isNotDeletedByKey } from '../../deletions/pending.ts'
import { type DeliveryState, SENDING } from './states.ts'

/** Like those of due-queries.ts, these statements are planned for their values each time. */

export interface ClaimRequest {
  subscriptionId: string
  state: DeliveryState
  count: number
  dueBefore: string
  attemptedBefore: string
}

export interface ClaimedRow {
  notification_id: string
  subscription_id: string
  /** The state that it was claimed in. */
  state: DeliveryState
  attempt: number
  expires_at: string
  url: string
  secret: string
  previous_secrets: string
  api_version: string
  /** What the subscription asks for now. */
  topics: string[]
  /** When it was due. */
  due_at: string
}

/**
 * Leases up to the given number of deliveries of each state and subscription. The due time of a leased delivery is the
 * end of its lease. Deliveries that another process is claiming are skipped. The subscriptions are read by the same
 * statement, so no delivery is sent to a URL, or for a subscription, that was gone before the claim. (`offset 0` keeps
 * the planner from turning one look-up for each subscription into a join of all with all.)
 */
export async function claimDeliveries(
  db: Database,
  environmentId: EnvironmentId,
  requests: readonly ClaimRequest[],
  lease: { id: string; until: string },
): Promise<ClaimedRow[]> {
  return await db.queryUnprepared<ClaimedRow>(
    `with wanted as (
       select * from unnest($2::uuid[], $3::smallint[], $4::int[], $5::timestamptz[], $6::timestamptz[])
         as wanted (subscription_id, state, count, due_before, attempted_before)
     ), picked as materialized (
       select found.notification_id, found.state, found.due_at, subscription.id, subscription.url, subscription.secret,
              subscription.previous_secrets, subscription.api_version, subscription.topics
         from wanted
        cross join lateral (
          select id, url, secret, previous_secrets, api_version, topics
            from webhook_subscriptions
           where environment_id = $1::int and id = wanted.subscription_id and not disabled and listener_until is null
          offset 0) as subscription
        cross join lateral (
          select notification_id, state, due_at
            from webhook_deliveries
           where environment_id = $1::int and subscription_id = wanted.subscription_id and state = wanted.state
             and due_at <= wanted.due_before and (attempted_at is null or attempted_at <= wanted.attempted_before)
           order by due_at
           limit wanted.count
             for update skip locked) as found
     )
     update webhook_deliveries as delivery
        set state = ${SENDING}, due_at = $7::timestamptz, lease_id = $8::uuid
       from picked
      where delivery.environment_id = $1::int
        and delivery.notification_id = picked.notification_id and delivery.subscription_id = picked.id
     returning delivery.notification_id, delivery.subscription_id, picked.state, delivery.attempt, delivery.expires_at,
               picked.url, picked.secret, picked.previous_secrets, picked.api_version, picked.topics, picked.due_at`,
    [
      environmentId,
      requests.map(({ subscriptionId }) => subscriptionId),
      requests.map(({ state }) => state),
      requests.map(({ count }) => count),
      requests.map(({ dueBefore }) => dueBefore),
      requests.map(({ attemptedBefore }) => attemptedBefore),
      lease.until,
      lease.id,
    ],
  )
}

export interface NotificationRow {
  id: string
  topic: string
  /** JSON text. */
  object: string
  created_at: string
}

export interface FoundNotification extends Omit<NotificationRow, 'object'> {
  /** Null when there are no bytes left for it. */
  object: string | null
}

/**
 * Reads objects until they have that many bytes, with the last one perhaps more. The least and greatest id are given as well:
 * with them PostgreSQL leaves out the partitions of other days.
 */
export async function findNotifications(
  db: Database,
  environmentId: EnvironmentId,
  ids: readonly string[],
  mostBytes: number,
): Promise<FoundNotification[]> {
  const sorted = ids.toSorted()
  return await db.queryUnprepared<FoundNotification>(
    `select id, topic, created_at,
            case when sum(octet_length(object)) over (rows unbounded preceding) - octet_length(object) < $5::int
                 then object end as object
       from webhook_notifications
      where environment_id = $1::int and id = any($2::uuid[]) and id between $3::uuid and $4::uuid
        and ${isNotDeletedByKey('webhook_notifications')}`,
    [environmentId, sorted, sorted[0], sorted.at(-1), mostBytes],
  )
}

/** A delivery that this process has leased, ready to be sent. */
export interface ClaimedDelivery {
  environmentId: EnvironmentId
  subscriptionId: string
  notificationId: string
  leaseId: string
  /** Attempts made so far. */
  attempts: number
  expiresAtMs: number
  url: string
  /** The newest first. */
  secrets: string[]
  apiVersion: string
  body: Buffer
  claimedAtMs: number
  /** When it was put into the queue, with all that it needs. */
  queuedAtMs: number
  /** Of its endpoint, when the claim began. */
  changes: number
  /** A person waits for it: it is sent whatever the limit of its endpoint. */
  isAtOnce: boolean
}
