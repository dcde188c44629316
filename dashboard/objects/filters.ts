import type { FilterOperator } from '../../contract/dashboard/objects.ts'

export type DataType = 'string' | 'number' | 'boolean' | 'datetime'

/** `plan:ne:starter` in the address and in the API. */
export type Filter = { attribute: string; operator: FilterOperator; value: string }

export const OPERATORS: Record<FilterOperator, string> = {
  eq: 'is',
  ne: 'is not',
  starts: 'begins with',
  contains: 'contains',
  gt: 'is above',
  gte: 'is at least',
  lt: 'is below',
  lte: 'is at most',
  within: 'within',
  exists: 'is set',
  missing: 'is not set',
}

const BY_TYPE: Record<DataType, FilterOperator[]> = {
  string: ['eq', 'ne', 'starts', 'contains', 'exists', 'missing'],
  number: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'exists', 'missing'],
  boolean: ['eq', 'exists', 'missing'],
  datetime: ['within', 'gt', 'lt', 'exists', 'missing'],
}

export const operatorsOf = (type: string): FilterOperator[] => BY_TYPE[type as DataType] ?? BY_TYPE.string

export const needsValue = (operator: FilterOperator): boolean => operator !== 'exists' && operator !== 'missing'

export function parseFilter(text: string): Filter | undefined {
  const [, attribute, operator, value = ''] = /^([^:]+):([a-z]+)(?::([\s\S]*))?$/.exec(text) ?? []
  if (!attribute || !operator || !Object.hasOwn(OPERATORS, operator)) return undefined
  return { attribute, operator: operator as FilterOperator, value }
}

export function formatFilter({ attribute, operator, value }: Filter): string {
  return needsValue(operator) ? `${attribute}:${operator}:${value}` : `${attribute}:${operator}:`
}

const UNITS: Record<string, string> = { m: 'minutes', h: 'hours', d: 'days' }

/** 7d is shown as 7 days; every other value as it is. */
export function shownValue({ operator, value }: Filter): string {
  if (operator !== 'within') return value
  const [, figure, unit] = /^(\d+)([mhd])$/.exec(value) ?? []
  return figure && unit ? `${figure} ${UNITS[unit]}` : value
}
