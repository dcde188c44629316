import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { DAY_MS, HOUR_MS } from '../../contract/units.ts'
import { advisoryLocks } from '../database/advisory-locks.ts'
import { inClientTransaction } from '../database/client-transaction.ts'
import type { Database } from '../database/database.ts'
import { type Queryable, queryableOf } from '../database/queryable.ts'
import { retentionTime } from '../database/retention-clock.ts'
import { leastIdAt } from '../ids.ts'
import type { Log } from '../log.ts'
import { WINDOW_MS } from '../outbox/window.ts'
import { eachDespiteFailures } from '../rounds/each-despite-failures.ts'
import { deleteExpiredSecrets, deleteOldHours, deleteOrphanedEndpoints } from './maintenance-queries.ts'
import {
  createPartition,
  dayOf,
  dropPartition,
  emptyDefaultPartition,
  findPartitions,
  missingPartitions,
  PARTITIONED,
  type Partition,
  type Partitioned,
} from './partitions.ts'

export const KEPT_DAYS = 30
const DAYS_AHEAD = 7
/**
 * On a sharded PostgreSQL a partition is a table for each shard. Attaching it takes 420 to 470 ms, and fails while a
 * statement reads the parent. So there are fewer partitions, they are created long before they are needed, and the
 * creation is retried.
 */
const SHARDED = { spanDays: 7, daysAhead: 28, tries: 5, pauseMs: 2_000 }
const PLAIN = { spanDays: 1, daysAhead: DAYS_AHEAD, tries: 1, pauseMs: 0 }

export function spanDaysOf(isSharded: boolean): number {
  return (isSharded ? SHARDED : PLAIN).spanDays
}

const HOURS_KEPT_MS = 8 * DAY_MS
const EVERY_MS = HOUR_MS
/** A run has some statements for each environment: with 10,000 of them it must not compete with the first requests. */
const FIRST_MS = 10_000
/** A node that gets no lock in this time tries again in an hour, because all other sessions queue behind a waiting lock. */
const LOCK_TIMEOUT_MS = 1_000
const EXPIRED_AT_ONCE = 5_000

export interface WebhookRetentionOptions {
  database: Database
  log: Log
  clock?: () => number
  /** For how much longer is kept what has expired: see `DatabaseClock.doubtedMs`. */
  doubtedMs?: () => number
}

/**
 * Creates the partitions of the coming days, drops those of more than 30 days ago, and deletes deliveries whose window has
 * passed. One node at a time does it; the others skip it.
 */
export class Retention {
  readonly #database: Database
  readonly #log: Log
  readonly #now: () => number
  readonly #doubtedMs: () => number
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  readonly #plan: typeof PLAIN
  #stopped = false

  constructor({ database, log, clock = Date.now, doubtedMs = () => 0 }: WebhookRetentionOptions) {
    this.#database = database
    this.#log = log
    this.#now = clock
    this.#doubtedMs = doubtedMs
    this.#plan = database.isDistributed ? SHARDED : PLAIN
  }

  /** A server waits for the partitions of today and tomorrow before it takes requests, not for the rest. */
  async start(): Promise<void> {
    if (!(await this.#areThere(1))) await this.run(1)
    this.#runAfter(FIRST_MS)
  }

  /** They are, unless this is the first start of a day: then a start needs no connection of its own for them. */
  async #areThere(daysAhead: number): Promise<boolean> {
    const missing = PARTITIONED.map((table) => this.#findMissing(this.#database, table, daysAhead))
    return await Promise.all(missing).then(
      (each) => each.flat().length === 0,
      () => false,
    )
  }

  #runAfter(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#running = this.run()
      this.#runAfter(EVERY_MS)
    }, ms).unref()
  }

  /** Finishes the step that is under way. The next start does the rest. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#running
  }

  async run(daysAhead = this.#plan.daysAhead): Promise<void> {
    const client = this.#database.ownClient({ lock_timeout: String(LOCK_TIMEOUT_MS) })
    try {
      await client.connect()
      const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1::bigint) as locked', [
        advisoryLocks.webhookMaintenance,
      ])
      if (rows[0]?.locked) await this.#maintain(client, daysAhead)
    } catch (error) {
      this.#log.warn({ err: error }, 'the maintenance of the webhook tables failed; it is tried again in an hour')
    } finally {
      await client.end().catch(() => {})
    }
  }

  async #maintain(client: pg.Client, daysAhead: number): Promise<void> {
    for (const table of PARTITIONED) await this.#createPartitions(client, table, daysAhead)
    if (daysAhead < this.#plan.daysAhead) return
    const now = await retentionTime(queryableOf(client), this.#now)
    for (const table of PARTITIONED) await this.#dropPartitions(client, table, dayOf(now) - KEPT_DAYS)
    const expiredAt = now - this.#doubtedMs()
    const { rows } = await client.query<{ id: number }>('select id from environments')
    await eachDespiteFailures(rows, async ({ id }) => {
      await this.#removeExpired(client, id, expiredAt)
      await this.#removeRecords(client, id, expiredAt)
    })
  }

  async #removeRecords(client: pg.Client, id: number, now: number): Promise<void> {
    if (this.#stopped) return
    await this.#waitBriefly(client, () => deleteOldHours(client, id, new Date(now - HOURS_KEPT_MS)))
    await this.#waitBriefly(client, () => deleteOrphanedEndpoints(client, id))
    await this.#waitBriefly(client, () => deleteExpiredSecrets(client, id, new Date(now)))
  }

  /** The lock timeout of the session does not reach the workers of a cluster; that of a transaction does. */
  async #waitBriefly<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
    if (!this.#database.isDistributed) return await work()
    return await inClientTransaction(client, async () => {
      await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
      return await work()
    })
  }

  async #createPartitions(client: pg.Client, table: Partitioned, daysAhead: number): Promise<void> {
    for (const partition of await this.#findMissing(queryableOf(client), table, daysAhead)) {
      if (this.#stopped) return
      await this.#attempt({ table, ...partition }, () => createPartition(client, table, partition))
    }
  }

  async #findMissing(db: Pick<Queryable, 'query'>, table: Partitioned, daysAhead: number): Promise<Partition[]> {
    const today = dayOf(this.#now())
    const wanted = { from: today, to: today + daysAhead + 1 }
    return missingPartitions(await findPartitions(db, table), wanted, this.#plan.spanDays)
  }

  async #dropPartitions(client: pg.Client, table: Partitioned, oldest: number): Promise<void> {
    for (const partition of await findPartitions(queryableOf(client), table)) {
      if (partition.to > oldest || this.#stopped) continue
      await this.#attempt({ table, ...partition }, () => dropPartition(client, table, partition))
    }
    if (!this.#stopped)
      await this.#attempt({ table }, () =>
        this.#waitBriefly(client, () => emptyDefaultPartition(client, table, oldest)),
      )
  }

  async #attempt(what: object, work: () => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work()
      } catch (error) {
        if (tries < this.#plan.tries && !this.#stopped) {
          await sleep(this.#plan.pauseMs)
          continue
        }
        this.#log.warn({ err: error, ...what }, 'a partition of the webhook tables was left as it is')
        return
      }
    }
  }

  /** Ids begin with their time, so the oldest are at the beginning of the index; younger replays of them stay. */
  async #removeExpired(client: pg.Client, id: number, now: number): Promise<void> {
    let removed = EXPIRED_AT_ONCE
    while (removed === EXPIRED_AT_ONCE && !this.#stopped) {
      const { rowCount } = await this.#waitBriefly(client, () =>
        client.query(
          `delete from webhook_deliveries
            where environment_id = $1::int and (notification_id, subscription_id) in (
              select notification_id, subscription_id from webhook_deliveries
               where environment_id = $1::int and notification_id < $2::uuid and expires_at <= $3::timestamptz
               order by notification_id limit ${EXPIRED_AT_ONCE} for update skip locked)`,
          [id, leastIdAt(now - WINDOW_MS), new Date(now).toISOString()],
        ),
      )
      removed = rowCount ?? 0
    }
  }
}
