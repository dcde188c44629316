import { HOUR_MS } from '../../../contract/units.ts'

/** When a failed delivery is tried again (S-RETRIES): plain arithmetic on milliseconds, without a clock or a random generator. */

const FIRST_MS = 5_000
const GROWTH = 3
/** The longest interval between two attempts. */
export const LONGEST_MS = 12 * HOUR_MS
const JITTER = 0.2
/** The last attempt is planned this long before the end, so that it is sent inside the window even when a node is late. */
const MARGIN_MS = 60_000

export interface FailedAttempt {
  /** 1 for the first. */
  attempt: number
  nowMs: number
  expiresAtMs: number
  retryAfterSeconds?: number | undefined
  /** From 0 to 1. */
  random: number
}

/**
 * The time of the next attempt, or undefined when the delivery is given up. An interval or a Retry-After that goes
 * beyond the window is shortened to a last attempt at its end.
 */
export function nextAttempt({
  attempt,
  nowMs,
  expiresAtMs,
  retryAfterSeconds,
  random,
}: FailedAttempt): number | undefined {
  const lastMs = expiresAtMs - MARGIN_MS
  if (nowMs >= lastMs) return undefined
  const waitMs = Math.max(intervalMs(attempt, random), (retryAfterSeconds ?? 0) * 1000)
  return Math.min(Math.round(nowMs + waitMs), lastMs)
}

function intervalMs(attempt: number, random: number): number {
  const planned = Math.min(FIRST_MS * GROWTH ** (attempt - 1), LONGEST_MS)
  return Math.min(planned * (1 - JITTER + 2 * JITTER * random), LONGEST_MS)
}
