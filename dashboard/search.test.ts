import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { one, parseSearch, present, stringifySearch, text, texts } from './search.ts'

describe('the search of an address', () => {
  it('gives back every list of texts that it was given', () => {
    const name = fc.string({ minLength: 1 }).filter((key) => key !== '__proto__')
    fc.assert(
      fc.property(fc.dictionary(name, fc.array(fc.string({ minLength: 1 }), { minLength: 2 })), (search) => {
        expect(parseSearch(stringifySearch(search))).toEqual(search)
      }),
    )
  })

  it('leaves an id that looks like a number or JSON a text', () => {
    expect(parseSearch('?open=123&q=true&filter=%7B%7D')).toEqual({ open: '123', q: 'true', filter: '{}' })
  })

  it('drops what is unknown or broken', () => {
    expect(one('32d', ['1h', '24h'])).toBeUndefined()
    expect(one(['24h', '1h'], ['1h', '24h'])).toBe('24h')
    expect(text('')).toBeUndefined()
    expect(texts(undefined)).toBeUndefined()
    expect(present({ q: undefined, open: '1' })).toEqual({ open: '1' })
  })
})
