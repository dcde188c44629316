import type { Attributes, AttributeValue } from '../../../contract/attributes.ts'
import { type FilterOperator, filterOperators } from '../../../contract/dashboard/objects.ts'
import { readDateTime } from '../../../contract/datetime.ts'
import { errors } from '../../errors.ts'

/** Filters on attributes: `plan:ne:starter`. Plain functions on plain data. */

export type Predicate = (attributes: Attributes) => boolean

interface Filter {
  name: string
  operator: FilterOperator
  value: string
}

/** True when every filter matches. Throws an error for an invalid filter. */
export function predicateOf(texts: readonly string[], now = Date.now()): Predicate {
  const filters = texts.map(parseFilter)
  return (attributes) => filters.every((filter) => holds(filter, own(attributes, filter.name), now))
}

function parseFilter(text: string): Filter {
  const match = /^([^:]{1,100}):([a-z]+)(?::(.*))?$/s.exec(text)
  const [, name = '', operator = '', value = ''] = match ?? []
  if (!(filterOperators as readonly string[]).includes(operator))
    throw errors.invalidParams([`filter: must be <attribute>:<operator>:<value> with ${filterOperators.join(', ')}`])
  if (operator === 'within' && spanMs(value) === undefined)
    throw errors.invalidParams(['filter: within takes a number and m, h or d, such as 7d'])
  return { name, operator: operator as FilterOperator, value }
}

const checks: Record<FilterOperator, (value: AttributeValue, given: string, now: number) => boolean> = {
  eq: (value, given) => String(value) === given,
  ne: (value, given) => String(value) !== given,
  starts: (value, given) => String(value).toLowerCase().startsWith(given.toLowerCase()),
  contains: (value, given) => String(value).toLowerCase().includes(given.toLowerCase()),
  gt: (value, given) => compare(value, given, (a, b) => a > b),
  gte: (value, given) => compare(value, given, (a, b) => a >= b),
  lt: (value, given) => compare(value, given, (a, b) => a < b),
  lte: (value, given) => compare(value, given, (a, b) => a <= b),
  within: (value, given, now) => {
    const at = typeof value === 'string' ? readDateTime(value)?.milliseconds : undefined
    return at !== undefined && at <= now && at >= now - (spanMs(given) as number)
  },
  exists: () => true,
  missing: () => false,
}

function holds({ operator, value: given }: Filter, value: AttributeValue | undefined, now: number): boolean {
  if (value === undefined) return operator === 'missing' || operator === 'ne'
  return checks[operator](value, given, now)
}

/** Compares numbers with numbers and times with times. Other values do not match. */
function compare(value: AttributeValue, given: string, test: (a: number, b: number) => boolean): boolean {
  if (typeof value === 'number') return given.trim() !== '' && test(value, Number(given))
  const [at, limit] = [readDateTime(String(value)), readDateTime(given)]
  return at !== undefined && limit !== undefined && test(at.milliseconds, limit.milliseconds)
}

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

function spanMs(text: string): number | undefined {
  const [, number, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  return number === undefined ? undefined : Number(number) * UNIT_MS[unit as keyof typeof UNIT_MS]
}

function own(attributes: Attributes, name: string): AttributeValue | undefined {
  return Object.hasOwn(attributes, name) ? attributes[name] : undefined
}
