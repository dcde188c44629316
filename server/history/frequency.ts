import { durationMs } from '../../contract/conditions/duration.ts'
import type { Frequency, When } from '../../contract/content/document.ts'

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
  const until = (counted.lastStartedAt ?? 0) + durationMs(frequency.every)
  return now < until ? { code: 'not_again_before', until } : undefined
}

/**
 * A checklist, a banner and a launcher stay until they are completed or dismissed, since their session goes on over pages.
 * With `always` a dismissed banner would be back at once.
 */
export const STANDARD_FREQUENCY: Frequency = 'once'
