import type { AttributeValue } from '../../contract/attributes.ts'
import type { Comparison } from '../../contract/conditions/condition.ts'
import { readDateTime } from '../../contract/datetime.ts'
import { fold } from './fold.ts'
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
  (compare: (value: string, operand: string) => boolean, change: (text: string) => string = (text) => text) =>
  ({ values }: ValueTest) => {
    const operand = String(values[0])
    return (value: AttributeValue) => typeof value === 'string' && compare(change(value), operand)
  }

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
  contains: texts((value, operand) => value.includes(operand)),
  starts_with: texts((value, operand) => value.startsWith(operand)),
  ends_with: texts((value, operand) => value.endsWith(operand)),
  contains_folded: texts((value, operand) => value.includes(operand), fold),
  starts_with_folded: texts((value, operand) => value.startsWith(operand), fold),
  ends_with_folded: texts((value, operand) => value.endsWith(operand), fold),
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
