import type { EnvironmentId } from '../database/database.ts'
import { CONCURRENCY, ConcurrencyLimiter } from '../limits/concurrency-limiter.ts'

/** Of the ten connections of the pool: the others are left for what is quick. */
const MOST_AT_ONCE = 4

/** Of what the statements are sent by. */
const limiters = new WeakMap<object, ConcurrencyLimiter>()

/**
 * Runs a statement that asks a condition of many rows. A condition of a hundred leaves over long texts takes seconds of PostgreSQL
 * for a few users, so whoever sends some of them at once would take all connections from everybody. A few run at a time,
 * environments take turns, and one has three of them at most. Who waits for 15 s is refused.
 */
export async function inScanTurn<T>(of: object, environmentId: EnvironmentId, scan: () => Promise<T>): Promise<T> {
  const limiter = limiters.get(of) ?? letScansWait(of, CONCURRENCY.maxWaitMs)
  if (!limiter.tryEnter(environmentId)) await limiter.wait(environmentId).admitted
  try {
    return await scan()
  } finally {
    limiter.leave(environmentId)
  }
}

/** For so long, instead of 15 s. */
export function letScansWait(of: object, maxWaitMs: number): ConcurrencyLimiter {
  const limiter = new ConcurrencyLimiter({
    mostActive: MOST_AT_ONCE,
    mostWaiting: CONCURRENCY.mostWaiting,
    maxWaitMs,
  })
  limiters.set(of, limiter)
  return limiter
}
