import type { Database } from '../database/database.ts'
import { timeOfId } from '../ids.ts'

/** The waiting deliveries of all environments. */
export interface Backlog {
  /** Counted up to 100,000, so that the count takes 20 ms at most behind any backlog. */
  waiting: number
  /** Whether more wait than were counted. */
  isMore: boolean
  /** Milliseconds since the oldest of them happened; a replay counts from what it replays. */
  oldestMs: number
  /** Endpoints of enabled subscriptions that are down. */
  downEndpoints: number
}

const MOST_COUNTED = 100_000

const OLDEST = `
  with recursive oldest as (
       (select environment_id, notification_id
          from webhook_deliveries
         order by environment_id, notification_id
         limit 1)
       union all
       select next.environment_id, next.notification_id
         from oldest
        cross join lateral (
          select environment_id, notification_id
            from webhook_deliveries
           where environment_id > oldest.environment_id
           order by environment_id, notification_id
           limit 1) as next
     )`

/** Citus has no recursion over several shards: there the oldest is looked for in each shard. */
const OLDEST_SHARDED = `
  with oldest as (select notification_id from webhook_deliveries order by notification_id limit 1)`

/**
 * One statement, however many environments have a backlog. The oldest delivery of each environment is the first of its
 * part of the primary key: one step in the index for each environment that has any.
 */
export async function measureBacklog(db: Database, nowMs = Date.now()): Promise<Backlog> {
  const [row] = await db.queryUnprepared<{ waiting: number; oldest: string | null; down: number }>(
    `${db.isDistributed ? OLDEST_SHARDED : OLDEST}
     select (select count(*) from (select 1 from webhook_deliveries limit ${MOST_COUNTED + 1}) as counted) as waiting,
            (select notification_id from oldest order by notification_id limit 1) as oldest,
            (select count(*)
               from webhook_endpoints as endpoint
               join webhook_subscriptions as subscription
                 on subscription.environment_id = endpoint.environment_id and subscription.id = endpoint.subscription_id
              where endpoint.is_failing and not subscription.disabled) as down`,
    [],
  )
  const { waiting = 0, oldest = null, down = 0 } = row ?? {}
  const oldestMs = oldest === null ? 0 : Math.max(0, nowMs - timeOfId(oldest))
  return {
    waiting: Math.min(waiting, MOST_COUNTED),
    isMore: waiting > MOST_COUNTED,
    oldestMs,
    downEndpoints: down,
  }
}
