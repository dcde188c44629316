import type { Database } from '../database/database.ts'
import { type InScope, measureByWorker } from '../database/workers.ts'
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
  /** The workers of a cluster whose environments are not counted, because they do not answer. */
  unreachable: string[]
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
const oldestSharded = (inScope: InScope) => `
  with oldest as (
       select notification_id from webhook_deliveries where ${inScope('environment_id')} order by notification_id limit 1)`

/** One statement, however many environments have a backlog, unless a worker of a cluster does not answer. */
export async function measureBacklog(db: Database): Promise<Backlog> {
  const { parts, unreachable } = await measureByWorker(db, (inScope) => measure(db, inScope))
  const waiting = parts.reduce((sum, part) => sum + part.waiting, 0)
  const ages = parts.flatMap(({ oldest, nowMs }) => (oldest === null ? [] : nowMs - timeOfId(oldest)))
  return {
    waiting: Math.min(waiting, MOST_COUNTED),
    isMore: waiting > MOST_COUNTED,
    oldestMs: Math.max(0, ...ages),
    downEndpoints: parts.reduce((sum, part) => sum + part.down, 0),
    unreachable,
  }
}

interface Part {
  waiting: number
  oldest: string | null
  down: number
  /** By the clock of the database, as the times of notifications are. */
  nowMs: number
}

/**
 * The oldest delivery of each environment is the first of its part of the primary key: one step in the index for each
 * environment that has any.
 */
async function measure(db: Database, inScope: InScope): Promise<Part> {
  const [row] = await db.queryUnprepared<Part>(
    `${db.isDistributed ? oldestSharded(inScope) : OLDEST}
     select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs",
            (select count(*)
               from (select 1 from webhook_deliveries where ${inScope('environment_id')} limit ${MOST_COUNTED + 1}) as counted
            ) as waiting,
            (select notification_id from oldest order by notification_id limit 1) as oldest,
            (select count(*)
               from webhook_endpoints as endpoint
               join webhook_subscriptions as subscription
                 on subscription.environment_id = endpoint.environment_id and subscription.id = endpoint.subscription_id
              where endpoint.is_failing and not subscription.disabled
                and ${inScope('endpoint.environment_id')} and ${inScope('subscription.environment_id')}) as down`,
    [],
  )
  return row as Part
}
