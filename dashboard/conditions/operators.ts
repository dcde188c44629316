import {
  anyOperators,
  booleanOperators,
  datetimeOperators,
  numberOperators,
  type Operator,
  stringOperators,
} from '../../contract/conditions/condition.ts'
import { operands } from '../../contract/conditions/operators.ts'
import type { DataType } from './catalogue.ts'
import type { DraftLeaf } from './draft-leaf.ts'

/** What an operator is called between its subject and its value. */
export const OPERATORS: Record<Operator, string> = {
  equals: 'is',
  not_equals: 'is not',
  contains: 'contains',
  not_contains: 'does not contain',
  starts_with: 'begins with',
  ends_with: 'ends with',
  one_of: 'is any of',
  none_of: 'is none of',
  less: 'is less than',
  at_most: 'is at most',
  more: 'is more than',
  at_least: 'is at least',
  between: 'is between',
  true: 'is true',
  false: 'is false',
  before: 'is before',
  after: 'is after',
  less_than_ago: 'is in the last',
  more_than_ago: 'is longer ago than',
  within_next: 'is in the next',
  more_than_ahead: 'is further ahead than',
  exists: 'is set',
  missing: 'is not set',
}

const BY_TYPE: Record<DataType, readonly Operator[]> = {
  string: stringOperators,
  number: numberOperators,
  boolean: booleanOperators,
  datetime: datetimeOperators,
}

export const operatorsOf = (type: DataType): readonly Operator[] => [...BY_TYPE[type], ...anyOperators]

/** The leaf with another operator: a value that fits it too stays. */
export function withOperator(leaf: DraftLeaf, is: Operator): DraftLeaf {
  const { value, values, ignore_case, ...rest } = leaf
  const before = [values, value].flat().filter((each) => each !== undefined)
  const operand = operands[is]
  const next = { ...rest, is }
  if (operand === 'none' || before.length === 0) return next
  const isText = typeof before[0] === 'string' && operands[leaf.is as Operator] !== 'duration'
  const isNumber = typeof before[0] === 'number'
  if (operand === 'texts') return isText ? { ...next, values: before } : next
  if (operand === 'range') return next
  const fits =
    operand === operands[leaf.is as Operator] ||
    (operand === 'text' && isText) ||
    (operand === 'number' && isNumber) ||
    (operand === 'scalar' && (isText || isNumber))
  return fits ? { ...next, value: before[0] } : next
}
