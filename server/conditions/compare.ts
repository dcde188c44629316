import type { AttributeValue } from '../../contract/attributes.ts'
import type { Comparison } from '../../contract/conditions/condition.ts'
import { readDateTime } from '../../contract/datetime.ts'
import { fold } from './fold.ts'
import { searchFor } from './text-search.ts'
import { type Bound, type TestKind, type ValueTest, valueTest } from './value-test.ts'

/** Whether a value, or its absence, fits. Now is in milliseconds. */
export type Compare = (value: AttributeValue | undefined, now: number) => boolean

/** Made once, used for many users. `server/conditions/test-sql.ts` says the same in SQL. */
export function compareBy(comparison: Comparison): Compare {
  return compareTest(valueTest(comparison))
}

export function compareTest(test: ValueTest): Compare {
  const holds = compares[test.kind](test)
  return test.isNegated
    ? (value, now) => value === undefined || !holds(value, now)
    : (value, now) => value !== undefined && holds(value, now)
}

const texts =
  (compareWith: (operand: string) => (value: string) => boolean, change: (text: string) => string = (text) => text) =>
  ({ values }: ValueTest) => {
    const compare = compareWith(String(values[0]))
    return (value: AttributeValue) => typeof value === 'string' && compare(change(value))
  }

const startsWith = (operand: string) => (value: string) => value.startsWith(operand)
const endsWith = (operand: string) => (value: string) => value.endsWith(operand)

const compares: Record<TestKind, (test: ValueTest) => (value: AttributeValue, now: number) => boolean> = {
  equals: ({ values }) => {
    const [only] = values
    if (values.length === 1) return (value) => value === only
    const wanted = new Set(values)
    return (value) => wanted.has(value)
  },
  equals_folded: ({ values }) => {
    const wanted = new Set(values)
    return (value) => typeof value === 'string' && wanted.has(fold(value))
  },
  contains: texts(searchFor),
  starts_with: texts(startsWith),
  ends_with: texts(endsWith),
  contains_folded: texts(searchFor, fold),
  starts_with_folded: texts(startsWith, fold),
  ends_with_folded: texts(endsWith, fold),
  number:
    ({ low, high }) =>
    (value) =>
      typeof value === 'number' && isAbove(value, '', low, 0) && isBelow(value, '', high, 0),
  instant:
    ({ low, high }) =>
    (value, now) => {
      const instant = typeof value === 'string' ? readDateTime(value) : undefined
      if (!instant) return false
      return (
        isAbove(instant.milliseconds, instant.rest, low, now) && isBelow(instant.milliseconds, instant.rest, high, now)
      )
    },
  exists: () => () => true,
}

function isAbove(at: number, rest: string, low: Bound | undefined, now: number): boolean {
  if (!low) return true
  const order = compareTo(at, rest, low, now)
  return low.isIncluded ? order >= 0 : order > 0
}

function isBelow(at: number, rest: string, high: Bound | undefined, now: number): boolean {
  if (!high) return true
  const order = compareTo(at, rest, high, now)
  return high.isIncluded ? order <= 0 : order < 0
}

/** The rests are digits of a fraction without ending zeros, so they compare as texts. */
function compareTo(at: number, rest: string, bound: Bound, now: number): number {
  const limit = bound.isRelative ? now + bound.at : bound.at
  if (at !== limit) return at < limit ? -1 : 1
  return rest === bound.rest ? 0 : rest < bound.rest ? -1 : 1
}
