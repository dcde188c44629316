import type { AttributeValue } from '../../contract/attributes.ts'
import type { Comparison, Operator } from '../../contract/conditions/condition.ts'
import { durationMs } from '../../contract/conditions/duration.ts'
import { comparedType, complement, holdsForMissing, valuesOf } from '../../contract/conditions/operators.ts'
import { type Instant, readDateTime } from '../../contract/datetime.ts'
import { fold } from './fold.ts'

/** A comparison in the form that JavaScript and SQL are made from. A negated one holds where its test does not. */
export interface ValueTest {
  readonly kind: TestKind
  readonly isNegated: boolean
  /** For `equals`: one of these. For the kinds of texts: the text. In lower case where the kind is folded. */
  readonly values: readonly AttributeValue[]
  /** For `number` and `instant`. */
  readonly low?: Bound
  readonly high?: Bound
}

export const testKinds = [
  'equals',
  'contains',
  'starts_with',
  'ends_with',
  'equals_folded',
  'contains_folded',
  'starts_with_folded',
  'ends_with_folded',
  'number',
  'instant',
  'exists',
] as const
export type TestKind = (typeof testKinds)[number]

/** A limit of numbers, or of instants in milliseconds since 1970. `isRelative`: counted from now. */
export interface Bound {
  readonly at: number
  /** The digits of an instant beyond its milliseconds. */
  readonly rest: string
  readonly isIncluded: boolean
  readonly isRelative: boolean
}

export function valueTest(comparison: Comparison): ValueTest {
  const { is, ignore_case } = comparison
  const isNegated = holdsForMissing(is)
  const plain = isNegated ? (complement(is) as Operator) : is
  const values = ignore_case ? valuesOf(comparison).map((value) => fold(String(value))) : valuesOf(comparison)
  const type = comparedType(comparison)
  if (is === 'exists' || is === 'missing') return { kind: 'exists', isNegated, values: [] }
  if (type === 'boolean') return { kind: 'equals', isNegated, values: [is === 'true'] }
  if (type === 'datetime') return { kind: 'instant', isNegated, values: [], ...instants(is, String(values[0])) }
  if (type === 'number' && plain !== 'equals')
    return { kind: 'number', isNegated, values: [], ...numbers(is, values.map(Number)) }
  const kind = plain === 'one_of' ? 'equals' : (plain as 'equals' | 'contains' | 'starts_with' | 'ends_with')
  return { kind: ignore_case ? `${kind}_folded` : kind, isNegated, values }
}

interface Bounds {
  low?: Bound
  high?: Bound
}

function bound(at: number, isIncluded: boolean): Bound {
  return { at, rest: '', isIncluded, isRelative: false }
}

function numbers(is: Operator, [first = 0, second = 0]: readonly number[]): Bounds {
  if (is === 'less') return { high: bound(first, false) }
  if (is === 'at_most') return { high: bound(first, true) }
  if (is === 'more') return { low: bound(first, false) }
  return is === 'at_least' ? { low: bound(first, true) } : { low: bound(first, true), high: bound(second, true) }
}

function instants(is: Operator, operand: string): Bounds {
  if (is === 'before' || is === 'after') {
    const { milliseconds, rest } = readDateTime(operand) as Instant
    const at = { at: milliseconds, rest, isIncluded: false, isRelative: false }
    return is === 'before' ? { high: at } : { low: at }
  }
  const fromNow = (ms: number, isIncluded: boolean): Bound => ({ at: ms, rest: '', isIncluded, isRelative: true })
  const ms = durationMs(operand)
  if (is === 'less_than_ago') return { low: fromNow(-ms, false), high: fromNow(0, true) }
  if (is === 'more_than_ago') return { high: fromNow(-ms, false) }
  return is === 'within_next' ? { low: fromNow(0, false), high: fromNow(ms, true) } : { low: fromNow(ms, false) }
}
