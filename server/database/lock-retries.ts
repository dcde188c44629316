import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { StartupError } from '../startup-error.ts'
import { sqlState } from './errors.ts'

const LOCK_NOT_AVAILABLE = '55P03'

export interface LockRetryOptions {
  /** How long one try waits for a lock. Every statement on the table waits behind it for so long. */
  timeoutMs?: number
  tries?: number
  pauseMs?: number
}

/**
 * Runs a change of the schema. A change that waits for a lock, behind a long transaction perhaps, makes all later statements on
 * that table wait too. So it gives up soon, lets them pass, and tries again.
 */
export async function withLockRetries<T>(
  client: pg.ClientBase,
  work: () => Promise<T>,
  { timeoutMs = 2_000, tries = 30, pauseMs = 1_000 }: LockRetryOptions = {},
): Promise<T> {
  for (let left = tries; ; left -= 1) {
    await client.query(`set lock_timeout to ${timeoutMs}`)
    try {
      return await work()
    } catch (error) {
      if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error
      if (left <= 1)
        throw new StartupError(
          'The schema could not be migrated: another transaction keeps a lock on a table (see pg_stat_activity). Nothing of this migration was changed; end that transaction and start again.',
        )
    } finally {
      await client.query('reset lock_timeout').catch(() => {})
    }
    await sleep(pauseMs)
  }
}
