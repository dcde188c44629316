import { expect, it } from 'vitest'
import { limits } from '../../../contract/limits.ts'
import { ATTRIBUTE_NAME_PATTERN } from '../../../contract/names.ts'
import { storable } from '../../../contract/schema.ts'
import { cleanAttributes, NAME, TEXT } from './attributes.ts'

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
    longest: '👾'.repeat(limits.stringValueCharacters),
    long: 'x'.repeat(limits.stringValueCharacters + 1),
    nul: 'a\0b',
    half: '\ud83d',
    exact: 2 ** 53,
    huge: 1e300,
    tiny: 0.1 + 0.2,
    lost: 2 ** 60,
    lostStep: { add: -(2 ** 60) },
    two: { set: 1, add: 1 },
    nothing: { set_once: null },
  }
  expect(cleanAttributes(given, (text) => named.push(text))).toEqual({
    plan: 'growth',
    seats: { add: 2 },
    since: '2026-01-31T00:00:00.000Z',
    gone: null,
    typed: { set: '2026-01-31', data_type: 'datetime' },
    longest: given.longest,
    exact: 2 ** 53,
    huge: 1e300,
    tiny: 0.1 + 0.2,
  })
  const left = ['tags', 'a/b', 'rate', 'nested', 'run', 'long', 'nul', 'half', 'lost', 'lostStep', 'two', 'nothing']
  expect(named.map((text) => /"([^"]+)"/.exec(text)?.[1])).toEqual(left)
})

it.each([undefined, null, 'text', 7, []])('%j are no attributes', (given) => {
  expect(cleanAttributes(given, () => {})).toEqual({})
})

it('names and texts are those of the contract', () => {
  expect(NAME.source).toBe(new RegExp(ATTRIBUTE_NAME_PATTERN).source)
  expect(TEXT.source).toBe(
    storable.pattern.replace('\\u0000', '\\0').replace('*', `{0,${limits.stringValueCharacters}}`),
  )
})
