import { expect, it } from 'vitest'
import { ATTRIBUTE_NAME_PATTERN } from '../../../contract/names.ts'
import { cleanAttributes, NAME } from './attributes.ts'

it('what the API cannot hold is left out and named; the rest counts', () => {
  const named: string[] = []
  const given = {
    plan: 'growth',
    seats: { add: 2 },
    since: new Date('2026-01-31T00:00:00Z'),
    gone: null,
    tags: ['a'],
    'a/b': 1,
    rate: Number.NaN,
    nested: { deep: { set: 1 } },
    run: () => {},
    unset: undefined,
    typed: { set: '2026-01-31', data_type: 'datetime' },
  }
  expect(cleanAttributes(given, (text) => named.push(text))).toEqual({
    plan: 'growth',
    seats: { add: 2 },
    since: '2026-01-31T00:00:00.000Z',
    gone: null,
    typed: { set: '2026-01-31', data_type: 'datetime' },
  })
  expect(named.map((text) => /"([^"]+)"/.exec(text)?.[1])).toEqual(['tags', 'a/b', 'rate', 'nested', 'run'])
})

it.each([undefined, null, 'text', 7, []])('%j are no attributes', (given) => {
  expect(cleanAttributes(given, () => {})).toEqual({})
})

it('names are those of the contract', () => {
  expect(NAME.source).toBe(new RegExp(ATTRIBUTE_NAME_PATTERN).source)
})
