import { setTimeout as sleep } from 'node:timers/promises'
import type { EnvironmentId } from '../database/database.ts'
import { eachDespiteFailures } from '../database/each-despite-failures.ts'
import type { KeptDays } from './kept-days.ts'

const DAY_MS = 86_400_000
const ROUND_MS = 2_000

export interface RetentionOptions {
  /** By `retentionTime`. */
  now: number
  stepRows?: number
  roundMs?: number
}

/** Deletes some rows, and says whether there may be more. */
export type RetentionStep = () => Promise<{ count: number; isMore: boolean }>

/**
 * Deletes what is older than each environment keeps it, until the round is over. After each step it pauses as long as the
 * step took, so it uses at most half of one connection. Returns the number of deleted rows.
 */
export async function deleteInSteps(
  kept: readonly KeptDays[],
  { now, roundMs = ROUND_MS }: RetentionOptions,
  stepOf: (environmentId: EnvironmentId, beforeMs: number) => RetentionStep,
): Promise<number> {
  const endsAt = performance.now() + roundMs
  let deleted = 0
  await eachDespiteFailures(kept, async ({ id, days }) => {
    const step = stepOf(id, now - days * DAY_MS)
    for (let isMore = true; isMore && performance.now() < endsAt; ) {
      const began = performance.now()
      const done = await step()
      deleted += done.count
      isMore = done.isMore
      if (isMore) await sleep(performance.now() - began)
    }
  })
  return deleted
}
