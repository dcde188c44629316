import { durationMs } from '../../contract/conditions/duration.ts'
import type { ContentType, When } from '../../contract/content/document.ts'
import { STANDARD_FREQUENCY } from '../../contract/content/standard-when.ts'
import { SET_MS } from '../database/clock.ts'

/** What counts of the sessions that a user had of a content. */
export interface Counted {
  readonly started: number
  readonly lastStartedAt: number | null
  readonly completedAt: number | null
}

export type FrequencyClosed =
  | { readonly code: 'already_seen' | 'already_completed' }
  | { readonly code: 'not_again_before'; readonly until: number }
  | { readonly code: 'at_most_reached'; readonly atMost: number }

/** Why a content must not start again for a user now; undefined when it may. It counts sessions, not claims. */
export function frequencyClosed(when: When, counted: Counted | undefined, now: number): FrequencyClosed | undefined {
  if (!counted || counted.started === 0) return undefined
  const frequency = when.frequency ?? STANDARD_FREQUENCY
  if (frequency === 'once') return { code: 'already_seen' }
  if (frequency === 'until_completed' && counted.completedAt !== null) return { code: 'already_completed' }
  if (when.at_most !== undefined && counted.started >= when.at_most)
    return { code: 'at_most_reached', atMost: when.at_most }
  if (typeof frequency !== 'object') return undefined
  const until = afterwards(counted.lastStartedAt, durationMs(frequency.every), now)
  return now < until ? { code: 'not_again_before', until } : undefined
}

/** What counts for the quiet period of what a user had of a content. */
interface Ended {
  readonly type: ContentType
  readonly lastEndedAt: number | null
}

/** Until when no flow starts by itself for a user, after one has ended. */
export function quietUntil(states: Iterable<Ended>, quietMs: number, now: number): number {
  let until = Number.NEGATIVE_INFINITY
  for (const { type, lastEndedAt } of states)
    if (type === 'flow') until = Math.max(until, afterwards(lastEndedAt, quietMs, now))
  return until
}

/** A time that is ahead was written while the clock was wrong. It must not keep a user from content until the clock comes to it. */
function afterwards(at: number | null, ms: number, now: number): number {
  return at === null || at > now + SET_MS ? Number.NEGATIVE_INFINITY : at + ms
}
