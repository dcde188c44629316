import { describe, expect, it } from 'vitest'
import { localInput, parseValue } from './attribute-values.ts'

describe('an edited value', () => {
  it('is a number only when it is one', () => {
    expect(parseValue('seats', 'number', ' 24 ')).toEqual({ value: 24 })
    expect(parseValue('seats', 'number', '')).toEqual({ problem: 'seats must be a number.' })
    expect(parseValue('seats', 'number', '24 seats')).toEqual({ problem: 'seats must be a number.' })
    expect(parseValue('seats', 'number', 'Infinity')).toEqual({ problem: 'seats must be a number.' })
  })

  it('stays a text when it looks like a date-time', () => {
    expect(parseValue('note', 'string', '2026-01-03T09:30:00Z')).toEqual({
      value: { set: '2026-01-03T09:30:00Z', data_type: 'string' },
    })
  })

  it('keeps the moment of a date-time through its field', () => {
    const at = '2026-11-12T13:02:11.482Z'
    expect(parseValue('signed_up_at', 'datetime', localInput(at))).toEqual({
      value: { set: at, data_type: 'datetime' },
    })
    expect(parseValue('signed_up_at', 'datetime', 'soon')).toEqual({
      problem: 'signed_up_at must be a date and a time.',
    })
  })
})
