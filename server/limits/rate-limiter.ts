import type { Queryable } from '../database/database.ts'
import { logFailure } from '../database/log-failure.ts'
import type { Log } from '../log.ts'
import { allow, type Bucket, openBucket, passUncounted, type RateVerdict, resize, verdict } from './bucket.ts'
import { giveBack, type Slice, takeSlice } from './queries.ts'

/** Another node may have returned budget since. One query serves all refused requests of this time. */
const RECHECK_MS = 2_000
const IDLE_MS = 5_000
const FORGET_MS = 180_000
const SWEEP_MS = 1_000
/** While the database is unreachable requests are admitted, and fail or wait later. They are charged when it is back. */
const UNREACHABLE_MS = 250

/**
 * Requests per account and minute, exact over all nodes, mostly without a query: a node takes slices of the minute's
 * budget from the database. Minutes are those of the database. A node measures the rest of a minute by its monotonic
 * clock, from before the query. So it stops using a slice before the minute ends, whatever its wall clock shows.
 */
export class RateLimiter {
  readonly #database: Queryable
  readonly #log: Log
  readonly #now: () => number
  readonly #buckets = new Map<number, Bucket>()
  readonly #sweeper: NodeJS.Timeout
  /** How many requests were refused since the start. */
  refusals = 0

  constructor(database: Queryable, log: Log, now: () => number = () => performance.now()) {
    this.#database = database
    this.#log = log
    this.#now = now
    this.#sweeper = setInterval(() => void this.sweep(), SWEEP_MS).unref()
  }

  /** Synchronous while the node holds budget or knows that there is none. Otherwise after one query. */
  take(accountId: number, limit: number): RateVerdict | Promise<RateVerdict> {
    const bucket = this.#buckets.get(accountId) ?? this.#open(accountId)
    const now = this.#now()
    bucket.limit = limit
    bucket.takenAt = now
    if (now < bucket.endsAt) {
      if (bucket.left > 0) return allow(bucket, now)
      if (now < bucket.refusesUntil) return this.#refuse(bucket, now)
    }
    if (now < bucket.unavailableUntil) return passUncounted(bucket, now)
    return new Promise((resolve) => {
      bucket.waiting.push(resolve)
      if (bucket.waiting.length === 1) void this.#takeSlice(bucket)
    })
  }

  /**
   * All of them or none: what a refused batch has taken can be used by other requests. What it took in a minute that has ended
   * is no longer there.
   */
  async takeMany(accountId: number, limit: number, count: number): Promise<RateVerdict | undefined> {
    const bucket = this.#buckets.get(accountId) ?? this.#open(accountId)
    let { minute } = bucket
    let last: RateVerdict | undefined
    for (let asked = 0, taken = 0; asked < count; asked += 1, taken += 1) {
      last = await this.take(accountId, limit)
      if (bucket.minute !== minute) taken = 0
      minute = bucket.minute
      if (!last.allowed) return this.#putBack(bucket, taken) ?? last
    }
    return last
  }

  #putBack(bucket: Bucket, taken: number): RateVerdict | undefined {
    const now = this.#now()
    if (now >= bucket.endsAt) return undefined
    bucket.left += taken
    return verdict(bucket, false, now)
  }

  /**
   * Returns the budget of idle accounts, and drops accounts that were idle for long. It ends at the first failure: a stop
   * would wait for a database that does not answer once for each account.
   */
  async sweep(idleMs: number = IDLE_MS): Promise<void> {
    const now = this.#now()
    for (const bucket of this.#buckets.values()) {
      if (bucket.waiting.length > 0 || now - bucket.takenAt < idleMs) continue
      if (bucket.left > 0 && now < bucket.endsAt) {
        if (!(await this.#giveBack(bucket))) return
      } else if (now - bucket.takenAt > FORGET_MS && bucket.waiting.length === 0) this.#buckets.delete(bucket.accountId)
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#sweeper)
    await this.sweep(0)
  }

  #open(accountId: number): Bucket {
    const bucket = openBucket(accountId)
    this.#buckets.set(accountId, bucket)
    return bucket
  }

  async #takeSlice(bucket: Bucket): Promise<void> {
    while (bucket.waiting.length > 0) {
      const askedAt = this.#now()
      resize(bucket, askedAt)
      const waiting = bucket.waiting.length + bucket.uncounted
      try {
        this.#serve(bucket, await takeSlice(this.#database, { ...bucket, waiting }), askedAt, waiting)
      } catch (error) {
        logFailure(this.#log, error, { accountId: bucket.accountId }, 'could not take a slice of the rate limit')
        const now = this.#now()
        bucket.unavailableUntil = now + UNREACHABLE_MS
        for (const answer of bucket.waiting.splice(0)) answer(passUncounted(bucket, now))
      }
    }
  }

  #serve(bucket: Bucket, slice: Slice, askedAt: number, wanted: number): void {
    const now = this.#now()
    bucket.left = Math.max(0, slice.granted - bucket.uncounted)
    bucket.uncounted = 0
    bucket.minute = slice.minute
    bucket.usedByAll = slice.used
    bucket.endsAt = askedAt + slice.ms_left
    // The minute ended during the query: the next call queries again.
    if (now >= bucket.endsAt) return
    while (bucket.left > 0 && bucket.waiting.length > 0) bucket.waiting.shift()?.(allow(bucket, now))
    if (slice.granted >= wanted) return
    bucket.refusesUntil = now + RECHECK_MS
    for (const answer of bucket.waiting.splice(0)) answer(this.#refuse(bucket, now))
  }

  #refuse(bucket: Bucket, now: number): RateVerdict {
    this.refusals += 1
    return verdict(bucket, false, now)
  }

  /** Whether it was returned. */
  async #giveBack(bucket: Bucket): Promise<boolean> {
    const { accountId, minute, left } = bucket
    // Set to 0 before it is returned: a lost answer costs budget, and never doubles it.
    bucket.left = 0
    try {
      await giveBack(this.#database, accountId, minute, left)
      return true
    } catch (error) {
      logFailure(this.#log, error, { accountId }, 'could not give back a slice of the rate limit')
      return false
    }
  }
}
