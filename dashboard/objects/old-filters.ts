import type { Condition } from '../../contract/conditions/condition.ts'

/** Addresses of before had `filter=plan:ne:starter`, once for each. They stay good: each is a line of a condition. */
export function conditionOfFilters(filters: readonly string[], of: 'user' | 'group'): Condition | undefined {
  const lines = filters.flatMap((text) => lineOf(text, of) ?? [])
  return lines.length === 0 ? undefined : { all: lines }
}

type Line = (subject: { attribute: string; of?: 'group' }, value: string) => Condition

const isNumber = (value: string) => value.trim() !== '' && Number.isFinite(Number(value))
const scalar = (value: string) => (isNumber(value) ? Number(value) : value)

/** Larger and smaller were those of numbers and of times. */
const compared =
  (number: 'more' | 'at_least' | 'less' | 'at_most', time: 'after' | 'before'): Line =>
  (subject, value) =>
    isNumber(value) ? { ...subject, is: number, value: Number(value) } : { ...subject, is: time, value }

const LINES: Record<string, Line> = {
  eq: (subject, value) =>
    value === 'true' || value === 'false'
      ? { ...subject, is: value }
      : { ...subject, is: 'equals', value: scalar(value) },
  ne: (subject, value) =>
    value === 'true' || value === 'false'
      ? { not: { ...subject, is: value } }
      : { ...subject, is: 'not_equals', value: scalar(value) },
  starts: (subject, value) => ({ ...subject, is: 'starts_with', value, ignore_case: true }),
  contains: (subject, value) => ({ ...subject, is: 'contains', value, ignore_case: true }),
  gt: compared('more', 'after'),
  gte: compared('at_least', 'after'),
  lt: compared('less', 'before'),
  lte: compared('at_most', 'before'),
  within: (subject, value) => ({ ...subject, is: 'less_than_ago', value }),
  exists: (subject) => ({ ...subject, is: 'exists' }),
  missing: (subject) => ({ ...subject, is: 'missing' }),
}

function lineOf(text: string, of: 'user' | 'group'): Condition | undefined {
  const [, attribute, operator = '', value = ''] = /^([^:]+):([a-z]+)(?::([\s\S]*))?$/.exec(text) ?? []
  const line = Object.hasOwn(LINES, operator) ? LINES[operator] : undefined
  return attribute && line ? line({ attribute, ...(of === 'group' ? { of } : {}) }, value) : undefined
}
