import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isDateTime, parseDateTime } from './datetime.ts'

const two = (number: number) => String(number).padStart(2, '0')
const parts = fc.record({
  year: fc.integer({ min: 0, max: 9999 }),
  month: fc.integer({ min: 0, max: 13 }),
  day: fc.integer({ min: 0, max: 32 }),
  hour: fc.integer({ min: 0, max: 25 }),
  minute: fc.integer({ min: 0, max: 61 }),
  second: fc.integer({ min: 0, max: 61 }),
  offsetMinutes: fc.integer({ min: -1439, max: 1439 }),
})

describe('a date-time', () => {
  it('is read like the calendar reads it, and one that no calendar has is refused', () => {
    fc.assert(
      fc.property(parts, ({ year, month, day, hour, minute, second, offsetMinutes }) => {
        const date = new Date(0)
        date.setUTCFullYear(year, month - 1, day)
        date.setUTCHours(hour, minute, second)
        const exists =
          date.getUTCFullYear() === year &&
          date.getUTCMonth() === month - 1 &&
          date.getUTCDate() === day &&
          date.getUTCHours() === hour &&
          date.getUTCMinutes() === minute &&
          date.getUTCSeconds() === second
        const away = Math.abs(offsetMinutes)
        const zone = `${offsetMinutes < 0 ? '-' : '+'}${two(Math.floor(away / 60))}:${two(away % 60)}`
        const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}${zone}`
        const expected = exists ? date.getTime() - offsetMinutes * 60_000 : undefined
        expect([text, parseDateTime(text)?.milliseconds]).toEqual([text, expected])
      }),
      { numRuns: 2_000 },
    )
  })

  it('has an optional second, fraction and colon in the offset', () => {
    const same = [
      '2026-01-03T09:30Z',
      '2026-01-03T09:30:00.000000000Z',
      '2026-01-03T15:00+0530',
      '2026-01-03T10:30+01',
      '2026-01-03T09:30-00:00',
    ]
    for (const text of same)
      expect([text, parseDateTime(text)]).toEqual([text, { milliseconds: Date.UTC(2026, 0, 3, 9, 30), rest: '' }])
    expect(parseDateTime('2026-01-03T09:30:00.1234500Z')).toEqual({
      milliseconds: Date.UTC(2026, 0, 3, 9, 30, 0, 123),
      rest: '45',
    })
  })

  it.each([
    '',
    '2026-01-03',
    '2026-01-03T09:30:00',
    '2026-01-03 09:30:00Z',
    '2026-01-03T09:30:00z',
    '2026-1-3T09:30:00Z',
    '20260103T093000Z',
    '2026-01-03T09:30:00.Z',
    '2026-01-03T09:30:00.1234567890Z',
    '+002026-01-03T09:30:00Z',
    '2026-01-03T09:30:00+24:00',
    '2026-01-03T09:30:60Z',
    '2026-01-03T09:30:00+05:60',
    ' 2026-01-03T09:30:00Z',
    '2026-01-03T09:30:00Z\n',
    '２０２６-01-03T09:30:00Z',
    '1900-02-29T00:00:00Z',
  ])('is not %j', (text) => {
    expect(isDateTime(text)).toBe(false)
  })

  it('is never looked for in a text that is too long for one', () => {
    for (const text of ['2026-01-03T09:30:00.'.padEnd(8192, '1'), '0'.repeat(8192), '2026-01-03T09:30:00Z'.repeat(400)])
      expect(isDateTime(text)).toBe(false)
  })
})
