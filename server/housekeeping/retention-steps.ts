import { setTimeout as sleep } from 'node:timers/promises'
import { DAY_MS } from '../../contract/units.ts'
import type { EnvironmentId } from '../database/database.ts'
import { inTurns } from '../rounds/in-turns.ts'
import type { KeptDays } from './kept-days.ts'

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
 * Deletes what is older than each environment keeps it, a step of each in turn, until the round is over. After each step it
 * pauses as long as the step took, so it uses at most half of one connection. Returns the number of deleted rows.
 */
export async function deleteInSteps(
  kept: readonly KeptDays[],
  { now, roundMs = ROUND_MS }: RetentionOptions,
  stepOf: (environmentId: EnvironmentId, beforeMs: number) => RetentionStep,
): Promise<number> {
  const endsAt = performance.now() + roundMs
  let deleted = 0
  const steps = kept.map(({ id, days }) => stepOf(id, now - days * DAY_MS))
  await inTurns(steps, endsAt, async (step) => {
    const began = performance.now()
    const { count, isMore } = await step()
    deleted += count
    if (isMore) await sleep(performance.now() - began)
    return isMore
  })
  return deleted
}
