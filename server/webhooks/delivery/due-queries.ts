import type { Database, EnvironmentId } from '../../database/database.ts'
import { eachEnvironment } from '../../database/each-environment.ts'
import { latestDueTimes } from './due-times.ts'
import { type DeliveryState, RETRYING, SENDING, WAITING } from './states.ts'

/**
 * These statements are planned each time, for their values and the current size of the table: it may hold nothing now and
 * a million rows a minute later. Planning takes about one hundredth of the time of a batch.
 */

/**
 * The environments that have deliveries. On a sharded PostgreSQL there is one query per environment: it has no
 * recursion over several shards, and `select distinct` read all rows (65 to 85 ms for 300,000).
 */
export async function findEnvironmentsWithDeliveries(db: Database): Promise<EnvironmentId[]> {
  if (!db.isDistributed) return await walkEnvironments(db)
  const found: EnvironmentId[] = []
  await eachEnvironment(db, async (environmentId) => {
    if (await hasDeliveries(db, environmentId)) found.push(environmentId)
  })
  return found
}

async function hasDeliveries(db: Database, environmentId: EnvironmentId): Promise<boolean> {
  const rows = await db.queryUnprepared('select 1 from webhook_deliveries where environment_id = $1::int limit 1', [
    environmentId,
  ])
  return rows.length > 0
}

/** One step in the index for each. */
async function walkEnvironments(db: Database): Promise<EnvironmentId[]> {
  const rows = await db.queryUnprepared<{ id: EnvironmentId }>(
    `with recursive hop (id) as (
       (select environment_id from webhook_deliveries order by environment_id limit 1)
       union all
       select (select environment_id from webhook_deliveries where environment_id > hop.id order by environment_id limit 1)
         from hop where hop.id is not null
     )
     select id from hop where id is not null`,
    [],
  )
  return rows.map(({ id }) => id)
}

export interface EarliestRow {
  subscription_id: string
  state: DeliveryState
  due_at: string
  /** Also true for a subscription of `usher listen`; null when the subscription has been deleted. */
  disabled: boolean | null
}

/** The earliest delivery of each state of each subscription: one step in the index for each, however deep the backlog. */
export async function findEarliest(db: Database, environmentId: EnvironmentId): Promise<EarliestRow[]> {
  return await db.queryUnprepared<EarliestRow>(
    `with recursive hop as (
       (select subscription_id, state, due_at
          from webhook_deliveries
         where environment_id = $1::int
         order by subscription_id, state, due_at
         limit 1)
       union all
       select next.subscription_id, next.state, next.due_at
         from hop
        cross join lateral (
          select subscription_id, state, due_at
            from webhook_deliveries
           where environment_id = $1::int and (subscription_id, state) > (hop.subscription_id, hop.state)
           order by subscription_id, state, due_at
           limit 1) as next
     )
     select subscription_id, state, due_at,
            (select disabled or listener_until is not null
               from webhook_subscriptions
              where environment_id = $1::int and id = hop.subscription_id) as disabled
       from hop`,
    [environmentId],
  )
}

/** The deliveries that a deleted subscription has left, some at a time. Returns how many were deleted. */
export async function deleteOrphans(
  db: Database,
  environmentId: EnvironmentId,
  subscriptionId: string,
  most: number,
): Promise<number> {
  const deleted = await db.queryUnprepared(
    `delete from webhook_deliveries
      where environment_id = $1::int and subscription_id = $2::uuid
        and notification_id = any(array(
          select notification_id from webhook_deliveries
           where environment_id = $1::int and subscription_id = $2::uuid
           limit $3::int for update skip locked))
     returning 1`,
    [environmentId, subscriptionId, most],
  )
  return deleted.length
}

/**
 * Makes due what is due later than it can be, or was attempted later than now: it was written when the clock was wrong.
 * One range of the index for each state of each subscription; retries that wait for long are read too. Returns how many.
 */
export async function bringBackDeliveries(
  db: Database,
  environmentId: EnvironmentId,
  nowMs: number,
  most: number,
): Promise<number> {
  const latest = latestDueTimes(nowMs)
  const changed = await db.queryUnprepared(
    `with found as materialized (
       select stuck.notification_id, subscription.id as subscription_id
         from webhook_subscriptions as subscription
        cross join unnest($2::smallint[], $3::timestamptz[]) as limits (state, latest)
        cross join lateral (
          select notification_id
            from webhook_deliveries
           where environment_id = $1::int and subscription_id = subscription.id and state = limits.state
             and (due_at > limits.latest or due_at > $5::timestamptz and attempted_at > $5::timestamptz)
             and due_at > $4::timestamptz
           limit $6::int) as stuck
        where subscription.environment_id = $1::int
        limit $6::int)
     update webhook_deliveries as delivery
        set due_at = $4::timestamptz, lease_id = null, attempted_at = least(attempted_at, $4::timestamptz),
            state = case when delivery.state = ${SENDING} then case when attempt = 0 then ${WAITING} else ${RETRYING} end
                         else delivery.state end
       from found
      where delivery.environment_id = $1::int
        and delivery.notification_id = found.notification_id and delivery.subscription_id = found.subscription_id
     returning 1`,
    [
      environmentId,
      latest.map(({ state }) => state),
      latest.map(({ latest }) => latest),
      new Date(nowMs).toISOString(),
      latest[0]?.latest,
      most,
    ],
  )
  return changed.length
}
