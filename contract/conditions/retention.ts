import { readDateTime } from '../datetime.ts'
import { DAY_MS } from '../units.ts'
import type { Condition, EventLeaf, Leaf } from './condition.ts'
import { durationMs, durationWords } from './duration.ts'

/** Where events are kept for so many days, "ever" means and reads "in the last so many days", and so does every longer window. */
export function withinKept(leaf: EventLeaf, keptDays: number | undefined): EventLeaf {
  if (keptDays === undefined) return leaf
  const isWithin = leaf.within !== undefined && durationMs(leaf.within) <= keptDays * DAY_MS
  return isWithin ? leaf : { ...leaf, within: `${keptDays}d` }
}

/** The same in a whole condition. */
export function keptCondition(condition: Condition, keptDays: number | undefined): Condition {
  if (keptDays === undefined) return condition
  const each = (parts: readonly Condition[]) => parts.map((part) => keptCondition(part, keptDays))
  if ('all' in condition) return { all: each(condition.all) }
  if ('any' in condition) return { any: each(condition.any) }
  if ('not' in condition) return { not: keptCondition(condition.not, keptDays) }
  return 'event' in condition ? withinKept(condition, keptDays) : condition
}

export interface LongWindow {
  /** The field of the leaf that says so; undefined: it asks for all events. */
  field: 'within' | 'since' | undefined
  /** `looks back 60 days`. */
  words: string
}

/** How a leaf looks back further than events are kept; undefined when it does not. */
export function longWindow(leaf: Leaf, keptDays: number, now: number): LongWindow | undefined {
  if (!('event' in leaf)) return undefined
  const { within, since } = leaf
  const keptMs = keptDays * DAY_MS
  if (within !== undefined && durationMs(within) <= keptMs) return undefined
  if (isInstant(since) && (readDateTime(since)?.milliseconds ?? now) >= now - keptMs) return undefined
  if (within !== undefined) return { field: 'within', words: `looks back ${durationWords(within)}` }
  if (isInstant(since)) return { field: 'since', words: `looks back to ${since}` }
  return {
    field: undefined,
    words: `looks back to the ${since === undefined ? 'first event' : 'creation of the user'}`,
  }
}

const isInstant = (since: string | undefined): since is string => since !== undefined && since !== 'created_at'
