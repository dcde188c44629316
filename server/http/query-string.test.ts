import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ApiError } from '../errors.ts'
import { parseQueryString } from './query-string.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 10 }).filter((value) => value.isWellFormed())
const name = fc.oneof(
  fc.constantFrom('limit', 'expand', '__proto__', 'constructor', 'order_by'),
  text.filter((value) => !/\[\d*\]$/.test(value)),
)
const pairs = fc.array(fc.tuple(name, text, fc.constantFrom('', '[]', '[0]', '[17]')), { maxLength: 8 })

it('parses every value, in order, under its name', () => {
  fc.assert(
    fc.property(pairs, (given) => {
      const written = given
        .map(([key, value, suffix]) => `${encodeURIComponent(key + suffix)}=${encodeURIComponent(value)}`)
        .join('&')
      const expected = Map.groupBy(given, ([key]) => key)
      const query = parseQueryString(written)
      expect(Object.keys(query).toSorted()).toEqual([...expected.keys()].toSorted())
      for (const [key, group] of expected) expect([query[key]].flat()).toEqual(group.map(([, value]) => value))
    }),
  )
})

it('refuses only invalid percent-encoding, and never reaches a prototype', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('%', '4', '1', 'f', '=', '&', '+', '[', ']', 'ü') }), (anything) => {
      const isEncoded = URL.canParse(`http://x/?${anything}`) && isDecodable(anything)
      if (!isEncoded) expect(() => parseQueryString(anything)).toThrow(ApiError)
      else expect(Object.getPrototypeOf(parseQueryString(anything))).toBeNull()
    }),
  )
  expect(parseQueryString('__proto__[]=1&__proto__.polluted=1&constructor=2')).toMatchObject({ constructor: '2' })
  expect(({} as { polluted?: string }).polluted).toBeUndefined()
})

function isDecodable(text: string): boolean {
  try {
    for (const part of text.split(/[&=]/)) decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}

it('treats names with and without brackets alike', () => {
  for (const written of [
    'a=1&a=2',
    'a[]=1&a[]=2',
    'a[0]=1&a[1]=2',
    'a=1&a[]=2',
    'a%5B%5D=1&a%5B%5D=2',
    'a[999999999]=1&a=2',
  ])
    expect([written, parseQueryString(written).a]).toEqual([written, ['1', '2']])
  expect(parseQueryString('a[]=1').a).toBe('1')
  expect(parseQueryString('')).toEqual({})
})

it('refuses more than 100 parameters, and reads a list of 100 in their order', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `a=${index}`).join('&')
  expect(parseQueryString(`&&${many(100)}&`).a).toEqual(Array.from({ length: 100 }, (_, index) => String(index)))
  for (const text of [many(101), 'a&'.repeat(7_800)])
    expect(() => parseQueryString(text)).toThrow(/parameters; send at most 100/)
})
