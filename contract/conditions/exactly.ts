import type { Condition, EventLeaf } from './condition.ts'

/** An event that happened exactly so often: two leaves in `all`, at least and at most as often. */
export interface ExactEvent {
  /** The leaf without a number. */
  event: Omit<EventLeaf, 'at_least' | 'at_most'>
  times: number
}

export function exactlyOf({ event, times }: ExactEvent): Condition {
  return {
    all: [
      { ...event, at_least: times },
      { ...event, at_most: times },
    ],
  }
}

/** Undefined when the condition says something else. */
export function exactEventOf(condition: Condition): ExactEvent | undefined {
  if (!('all' in condition) || condition.all.length !== 2) return undefined
  const [first, second] = condition.all as [EventLeaf, EventLeaf]
  if (typeof first?.event !== 'string' || typeof second?.event !== 'string') return undefined
  const { at_least: times, at_most: _, ...event } = first
  if (times === undefined || second.at_most !== times) return undefined
  const pair = exactlyOf({ event, times })
  return isSame(condition, pair) ? { event, times } : undefined
}

const isSame = (a: Condition, b: Condition) => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))

/** The order of the keys of an object says nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort()
      .map(([key, one]) => [key, sorted(one)]),
  )
}
