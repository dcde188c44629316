import type { Database, EnvironmentId } from '../../database/database.ts'
import { eachEnvironment } from '../../database/each-environment.ts'
import type { DeliveryState } from './states.ts'

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
