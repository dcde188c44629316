import type { EnvironmentId, Transaction } from '../../database/database.ts'
import type { EndpointHealth } from './endpoint-health.ts'

interface HealthRow {
  subscription_id: string
  failures: number
  failing_since: string | null
  /** Whether the endpoint is down. */
  is_failing: boolean
}

/** By subscription; an endpoint that never failed is missing. */
export async function findHealth(
  db: Transaction,
  environmentId: EnvironmentId,
  subscriptionIds: readonly string[],
): Promise<Map<string, EndpointHealth>> {
  return healthBySubscription(await db.query<HealthRow>(SELECT_HEALTH, [environmentId, subscriptionIds]))
}

/** Locks in the order of the ids, so that two batches cannot deadlock. */
export async function lockHealth(
  db: Transaction,
  environmentId: EnvironmentId,
  subscriptionIds: readonly string[],
): Promise<Map<string, EndpointHealth>> {
  const rows = await db.query<HealthRow>(`${SELECT_HEALTH} order by subscription_id for update`, [
    environmentId,
    subscriptionIds,
  ])
  return healthBySubscription(rows)
}

const SELECT_HEALTH = `
  select subscription_id, failures, failing_since, is_failing
    from webhook_endpoints
   where environment_id = $1::int and subscription_id = any($2::uuid[])`

function healthBySubscription(rows: readonly HealthRow[]): Map<string, EndpointHealth> {
  return new Map(
    rows.map(({ subscription_id, failures, failing_since, is_failing }) => [
      subscription_id,
      { failures, failingSince: failing_since, isDown: is_failing },
    ]),
  )
}

export async function writeHealth(
  db: Transaction,
  environmentId: EnvironmentId,
  health: readonly (EndpointHealth & { subscriptionId: string })[],
): Promise<void> {
  await db.query(
    `insert into webhook_endpoints (environment_id, subscription_id, failures, failing_since, is_failing)
     select $1::int, subscription_id, failures, failing_since, is_failing
       from unnest($2::uuid[], $3::int[], $4::timestamptz[], $5::boolean[])
         as given (subscription_id, failures, failing_since, is_failing)
      order by subscription_id
     on conflict (environment_id, subscription_id) do update
        set failures = excluded.failures, failing_since = excluded.failing_since, is_failing = excluded.is_failing`,
    [
      environmentId,
      health.map(({ subscriptionId }) => subscriptionId),
      health.map(({ failures }) => failures),
      health.map(({ failingSince }) => failingSince),
      health.map(({ isDown }) => isDown),
    ],
  )
}

/** The attempts of one endpoint in one hour. */
export interface EndpointHour {
  subscriptionId: string
  hour: string
  delivered: number
  failed: number
}

export async function addToHours(
  db: Transaction,
  environmentId: EnvironmentId,
  hours: readonly EndpointHour[],
): Promise<void> {
  await db.query(
    `insert into webhook_endpoint_hours as hours (environment_id, subscription_id, hour, delivered, failed)
     select $1::int, subscription_id, hour, delivered, failed
       from unnest($2::uuid[], $3::timestamptz[], $4::int[], $5::int[]) as given (subscription_id, hour, delivered, failed)
      order by subscription_id, hour
     on conflict (environment_id, subscription_id, hour) do update
        set delivered = hours.delivered + excluded.delivered, failed = hours.failed + excluded.failed`,
    [
      environmentId,
      hours.map(({ subscriptionId }) => subscriptionId),
      hours.map(({ hour }) => hour),
      hours.map(({ delivered }) => delivered),
      hours.map(({ failed }) => failed),
    ],
  )
}
