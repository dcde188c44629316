import type { EnvironmentId, Queryable } from '../../database/database.ts'

export interface EndpointRow {
  id: string
  url: string
  topics: string[]
  api_version: string
  disabled: boolean
  created_at: string
}

export async function listEndpointRows(db: Queryable, environmentId: EnvironmentId): Promise<EndpointRow[]> {
  return await db.query<EndpointRow>(
    `select id, url, topics, api_version, disabled, created_at
       from webhook_subscriptions
      where environment_id = $1::int and listener_until is null
      order by created_at, id`,
    [environmentId],
  )
}

export interface EndpointHourRow {
  subscription_id: string
  hour: string
  delivered: number
  failed: number
}

export async function listEndpointHours(
  db: Queryable,
  environmentId: EnvironmentId,
  since: string,
): Promise<EndpointHourRow[]> {
  return await db.query<EndpointHourRow>(
    `select subscription_id, hour, delivered, failed
       from webhook_endpoint_hours
      where environment_id = $1::int and hour >= $2::timestamptz`,
    [environmentId, since],
  )
}

export interface EndpointStateRow {
  subscription_id: string
  failing_since: string | null
  last_status: number | null
  last_failure: string | null
  p95_ms: number | null
}

/** Since when each endpoint fails, its latest attempt, and how long its latest 200 attempts took, all from indexes. */
export async function listEndpointStates(db: Queryable, environmentId: EnvironmentId): Promise<EndpointStateRow[]> {
  return await db.query<EndpointStateRow>(
    `select subscription.id as subscription_id, endpoint.failing_since, latest.status as last_status,
            latest.failure as last_failure, times.p95_ms
       from webhook_subscriptions as subscription
       left join webhook_endpoints as endpoint
         on endpoint.environment_id = $1::int and endpoint.subscription_id = subscription.id
       left join lateral (
         select status, failure from webhook_attempts
          where environment_id = $1::int and subscription_id = subscription.id
          order by id desc
          limit 1) as latest on true
      cross join lateral (
         select percentile_disc(0.95) within group (order by total_ms) as p95_ms
           from (select total_ms from webhook_attempts
                  where environment_id = $1::int and subscription_id = subscription.id
                  order by id desc
                  limit 200) as recent) as times
      where subscription.environment_id = $1::int and subscription.listener_until is null`,
    [environmentId],
  )
}

export const MOST_WAITING_COUNTED = 1_000

export interface WaitingCount {
  subscription_id: string
  count: number
  oldest_id: string
}

/** The waiting deliveries of each endpoint, counted up to a bound from an index. */
export async function countWaiting(db: Queryable, environmentId: EnvironmentId): Promise<WaitingCount[]> {
  return await db.query<WaitingCount>(
    `select subscription.id as subscription_id, waiting.count, waiting.oldest_id
       from webhook_subscriptions as subscription
      cross join lateral (
        select count(*)::int as count, min(notification_id::text) as oldest_id
          from (select notification_id from webhook_deliveries
                 where environment_id = $1::int and subscription_id = subscription.id
                 limit ${MOST_WAITING_COUNTED + 1}) as counted) as waiting
      where subscription.environment_id = $1::int and waiting.count > 0`,
    [environmentId],
  )
}
