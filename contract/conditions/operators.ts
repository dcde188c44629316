import type { AttributeValue, DataType } from '../attributes.ts'
import {
  anyOperators,
  booleanOperators,
  type Comparison,
  datetimeOperators,
  numberOperators,
  type Operator,
  stringOperators,
} from './condition.ts'

export const operators: readonly Operator[] = [
  ...new Set([...stringOperators, ...numberOperators, ...booleanOperators, ...datetimeOperators, ...anyOperators]),
]

/** What an operator compares with. `scalar` is a text or a number, and decides which of the two is compared. */
export type Operand = 'none' | 'scalar' | 'text' | 'texts' | 'number' | 'range' | 'instant' | 'duration'

export const operands: Readonly<Record<Operator, Operand>> = {
  equals: 'scalar',
  not_equals: 'scalar',
  contains: 'text',
  not_contains: 'text',
  starts_with: 'text',
  ends_with: 'text',
  one_of: 'texts',
  none_of: 'texts',
  less: 'number',
  at_most: 'number',
  more: 'number',
  at_least: 'number',
  between: 'range',
  true: 'none',
  false: 'none',
  before: 'instant',
  after: 'instant',
  less_than_ago: 'duration',
  more_than_ago: 'duration',
  within_next: 'duration',
  more_than_ahead: 'duration',
  exists: 'none',
  missing: 'none',
}

/** True for a missing value. The first of each pair is true exactly when the second is false. */
const complements = [
  ['not_equals', 'equals'],
  ['not_contains', 'contains'],
  ['none_of', 'one_of'],
  ['missing', 'exists'],
] as const satisfies [Operator, Operator][]

const complementOf = new Map<string, Operator>(complements.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]))

/** The operator that holds exactly where this one does not, if there is one. */
export function complement(operator: Operator): Operator | undefined {
  return complementOf.get(operator)
}

/** Whether the operator holds for a missing value, and then for a value of another type. */
export function holdsForMissing(operator: string): boolean {
  return complements.some(([own]) => own === operator)
}

/** The type of value that a comparison is about; undefined when it is about any. */
export function comparedType({ is, value }: { is: string; value?: AttributeValue }): DataType | undefined {
  if (is === 'equals' || is === 'not_equals') return typeof value === 'number' ? 'number' : 'string'
  if ((stringOperators as readonly string[]).includes(is)) return 'string'
  if ((numberOperators as readonly string[]).includes(is)) return 'number'
  if ((booleanOperators as readonly string[]).includes(is)) return 'boolean'
  return (datetimeOperators as readonly string[]).includes(is) ? 'datetime' : undefined
}

/** The values of a comparison, however many it has. */
export function valuesOf({ value, values }: Omit<Comparison, 'is'>): AttributeValue[] {
  return values ?? (value === undefined ? [] : [value])
}
