import type { AttributeValue } from '../../contract/attributes.ts'
import {
  anyOperators,
  booleanOperators,
  type Comparison,
  type Condition,
  datetimeOperators,
  type EventLeaf,
  numberOperators,
  type Operator,
  type ServerLeaf,
  stringOperators,
} from '../../contract/conditions/condition.ts'
import { operands } from '../../contract/conditions/operators.ts'

/** Conditions and values at random, most of them at the edges of what a leaf means. */

export const NOW = Date.parse('2026-06-01T00:00:00Z')

export const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item
const maybe = (chance: number) => Math.random() < chance

export const names = ['a', 'b', 'constructor', 'with space-']
export const eventNames = ['x', 'y', 'never']

const texts = [
  '',
  'growth',
  'Growth',
  'GRÖSSE',
  'größe',
  'ΣΊΣΥΦΟΣ',
  'σίσυφος',
  'İ',
  'K',
  '5',
  '-1',
  '0.1',
  '1000000000000000000000',
  '-0.0000001',
  'true',
  'false',
  'a"b\\c',
  '👾',
  'grow',
]
const numbers = [0, -1, 3, 5, 5.5, 0.1, 1e21, -1e-7, 2 ** 53]
const instants = [
  '2026-06-01T00:00:00Z',
  '2026-05-25T00:00:00Z',
  '2026-05-24T23:59:59.999Z',
  '2026-05-25T00:00:00.0005Z',
  '2026-06-08T00:00:00Z',
  '2026-06-01T02:00:00+02',
  '2026-06-08t00:00:00.5z',
  '2026-05-24T23:59:59.999z',
  '20260601t0200+0200',
  '20260601T000000,000000001Z',
  '2026-06-01',
  '20260601',
  '2026-05-31T24:00:00Z',
  '2016-12-31T23:59:60Z',
  '2016-12-31T18:59:60.5-05:00',
  '0000-02-29T00:00Z',
  '1969-12-31T23:59:59.9995Z',
  '9999-12-31T23:59:59Z',
]
/** Texts that look like date-times. */
const noInstants = [
  '2026-02-30',
  '9999-12-31T24:00:00Z',
  '2026-06-01T25:00Z',
  '2026-0601',
  '2026-06-01T00:00:60Z',
  '1900-02-29',
  '2026-06-01T00:00+24',
]

export const values: readonly AttributeValue[] = [...texts, ...numbers, true, false, ...instants, ...noInstants]

export function randomComparison(): Comparison {
  const is = pick<Operator>(pick([stringOperators, numberOperators, booleanOperators, datetimeOperators, anyOperators]))
  switch (operands[is]) {
    case 'none':
      return { is }
    case 'scalar':
      return maybe(0.5) ? { is, value: pick(numbers) } : { is, value: pick(texts), ...ignoreCase() }
    case 'text':
      return { is, value: pick(texts.filter((text) => text !== '')), ...ignoreCase() }
    case 'texts':
      return { is, values: [pick(texts), pick(texts), pick(instants)], ...ignoreCase() }
    case 'number':
      return { is, value: pick(numbers) }
    case 'range':
      return { is, values: [pick(numbers), pick(numbers)].sort((a, b) => a - b) }
    case 'instant':
      return { is, value: pick(instants) }
    default:
      return { is, value: pick(['7d', '1s', '10w']) }
  }
}

function ignoreCase() {
  return maybe(0.4) ? { ignore_case: true } : {}
}

function randomEvent(): EventLeaf {
  const event: EventLeaf = { event: pick(eventNames) }
  if (maybe(0.5)) event.at_least = pick([1, 2, 5])
  if (event.at_least === undefined && maybe(0.5)) event.at_most = pick([0, 1, 3])
  if (maybe(0.4)) event.within = '7d'
  if (event.within === undefined && maybe(0.4)) event.since = pick(['created_at', '2026-05-25T00:00:00Z'])
  if (maybe(0.4)) event.by = 'group'
  if (maybe(0.4)) event.where = [{ attribute: pick(names), ...randomComparison() }]
  return event
}

function randomLeaf(): ServerLeaf {
  const kind = Math.random()
  if (kind < 0.6)
    return { attribute: pick(names), of: pick(['user', 'user', 'group', 'membership']), ...randomComparison() }
  if (kind < 0.9) return randomEvent()
  return kind < 0.95 ? { segment: 'some', is: pick(['in', 'not_in']) } : { after: pick(instants) }
}

export function randomCondition(levels = 3): Condition {
  if (levels === 1 || maybe(0.3)) return randomLeaf()
  if (maybe(0.2)) return { not: randomCondition(levels - 1) }
  const parts = Array.from({ length: pick([1, 2, 3]) }, () => randomCondition(levels - 1))
  return maybe(0.5) ? { all: parts } : { any: parts }
}
