import { WINDOW_MS } from '../../outbox/window.ts'
import { LONGEST_MS } from './schedule.ts'
import { type DeliveryState, HELD, type LeaseEnd, RETRYING, SENDING, WAITING } from './states.ts'

/** A node knows the time of the database to some milliseconds. A first attempt does not wait for the difference. */
const INEXACT_MS = 1_000
const SLACK_MS = 60_000

/** How far ahead of the clock a delivery can be due. What is due later was written when the clock was wrong. */
const MOST_AHEAD_MS: Record<DeliveryState, number> = {
  [WAITING]: SLACK_MS,
  [RETRYING]: LONGEST_MS + SLACK_MS,
  [HELD]: WINDOW_MS + SLACK_MS,
  [SENDING]: SLACK_MS,
}

/**
 * When a delivery is due that a person retries, and a test. It goes before all others of its endpoint, and it waits neither
 * for the room nor for the pauses of an endpoint that fails.
 */
export const AT_ONCE = '1970-01-01T00:00:00.000Z'

export function isAtOnce(dueAt: string): boolean {
  return dueAt <= AT_ONCE
}

/** How the lease of a delivery ends that is not sent. */
export function releaseEnd({ attempts, isAtOnce }: { attempts: number; isAtOnce: boolean }, dueMs: number): LeaseEnd {
  const dueAt = isAtOnce ? AT_ONCE : new Date(dueMs).toISOString()
  return { transition: attempts === 0 ? 'release' : 'releaseRetry', dueAt }
}

/** Until which due time the deliveries of a state are claimed. */
export function dueUntilMs(state: DeliveryState, nowMs: number): number {
  return state === WAITING ? nowMs + INEXACT_MS : nowMs
}

/** Whether a delivery of this state cannot be due that late. */
export function isTooFarAhead(state: DeliveryState, dueMs: number, nowMs: number): boolean {
  return dueMs - nowMs > MOST_AHEAD_MS[state]
}

/** The latest time at which a delivery of each state can be due. */
export function latestDueTimes(nowMs: number): { state: DeliveryState; latest: string }[] {
  const states = [WAITING, RETRYING, HELD, SENDING] as const
  return states.map((state) => ({ state, latest: new Date(nowMs + MOST_AHEAD_MS[state]).toISOString() }))
}
