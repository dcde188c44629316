import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatFilter, OPERATORS, operatorsOf, parseFilter, shownValue } from './filters.ts'

describe('a filter in the address', () => {
  it('survives every value, also one with colons', () => {
    const attribute = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_ -]{0,20}$/)
    fc.assert(
      fc.property(attribute, fc.string(), (name, value) => {
        const filter = { attribute: name, operator: 'eq' as const, value }
        expect(parseFilter(formatFilter(filter))).toEqual(filter)
      }),
    )
  })

  it.each(['', 'plan', 'plan:wrong:1', ':eq:1'])('drops %j', (text) => {
    expect(parseFilter(text)).toBeUndefined()
  })

  it('offers the operators of a type', () => {
    expect(operatorsOf('boolean')).toEqual(['eq', 'exists', 'missing'])
    expect(operatorsOf('unknown').every((operator) => operator in OPERATORS)).toBe(true)
  })

  it('says a span of time in words', () => {
    expect(shownValue({ attribute: 'last_seen_at', operator: 'within', value: '7d' })).toBe('7 days')
    expect(shownValue({ attribute: 'plan', operator: 'eq', value: '7d' })).toBe('7d')
  })
})
