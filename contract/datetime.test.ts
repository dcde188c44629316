import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dateTimeProblem, isDateTime, parseDateTime, readDateTime, toRfc3339 } from './datetime.ts'

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
  it('is parsed by the calendar, and a day or time that does not exist is refused', () => {
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
        const isRounded = (hour === 24 && minute === 0 && second === 0) || second === 60
        fc.pre(!isRounded)
        const expected = exists ? date.getTime() - offsetMinutes * 60_000 : undefined
        expect([text, parseDateTime(text)?.milliseconds]).toEqual([text, expected])
      }),
      { numRuns: 2_000 },
    )
  })

  it('has an optional second, fraction and colon in the offset, and a basic form', () => {
    const same = [
      '2026-01-03T09:30Z',
      '2026-01-03T09:30:00.000000000Z',
      '2026-01-03T09:30:00,0Z',
      `2026-01-03T09:30:00.${'0'.repeat(500)}Z`,
      '2026-01-03t09:30z',
      '20260103t093000z',
      '2026-01-03T15:00+0530',
      '2026-01-03T10:30+01',
      '2026-01-03T09:30-00:00',
      '20260103T093000Z',
      '20260103T0930Z',
      '20260103T150000.000+0530',
      '20260103T103000,0+01',
    ]
    for (const text of same)
      expect([text, parseDateTime(text)]).toEqual([text, { milliseconds: Date.UTC(2026, 0, 3, 9, 30), rest: '' }])
    expect(parseDateTime(`2026-01-03T09:30:00.123${'0'.repeat(100_000)}1Z`)?.rest).toBe(`${'0'.repeat(100_000)}1`)
    expect(parseDateTime('2026-01-03T09:30:00,1234500Z')).toEqual({
      milliseconds: Date.UTC(2026, 0, 3, 9, 30, 0, 123),
      rest: '45',
    })
  })

  it('of 24:00:00 is the next midnight, and of a leap second the second that follows', () => {
    const newYear = { milliseconds: Date.UTC(2017, 0, 1), rest: '' }
    for (const text of [
      '2016-12-31T24:00:00Z',
      '2016-12-31T24:00Z',
      '20161231T240000.000Z',
      '2016-12-31T23:59:60Z',
      '2017-01-01T01:59:60+02:00',
      '2016-12-31T18:59:60-0500',
    ])
      expect([text, parseDateTime(text)]).toEqual([text, newYear])
    for (const text of [
      '2016-12-31T24:00:01Z',
      '2016-12-31T24:01Z',
      '2016-12-31T24:00:00.001Z',
      '2016-12-31T12:30:60Z',
      '2016-12-31T23:59:60+02:00',
      '2016-12-31T23:59:61Z',
      '9999-12-31T24:00:00Z',
      '9999-12-31T23:59:60Z',
    ])
      expect([text, parseDateTime(text)]).toEqual([text, undefined])
  })

  it('without an offset is UTC, and a date alone is midnight UTC, where the type is given', () => {
    for (const text of ['2026-01-03T09:30:00', '2026-01-03T09:30', '20260103T0930', '2026-01-03T09:30:00.000']) {
      expect([text, readDateTime(text)?.milliseconds]).toEqual([text, Date.UTC(2026, 0, 3, 9, 30)])
      expect([text, isDateTime(text)]).toEqual([text, false])
    }
    for (const text of ['2026-01-03', '20260103', '2026-01-02T24:00']) {
      expect([text, readDateTime(text)?.milliseconds]).toEqual([text, Date.UTC(2026, 0, 3)])
      expect([text, isDateTime(text)]).toEqual([text, false])
    }
  })

  it.each([
    ['2026-01-03T09:30:00Z', '2026-01-03T09:30:00Z'],
    ['2026-01-03T09:30:00.1234567890123+05:30', '2026-01-03T09:30:00.1234567890123+05:30'],
    ['2026-01-03T09:30+02', '2026-01-03T09:30:00+02:00'],
    ['2026-01-03T09:30:00,250-0800', '2026-01-03T09:30:00.250-08:00'],
    ['20260103T093000Z', '2026-01-03T09:30:00Z'],
    ['2026-01-03T24:00:00+02:00', '2026-01-04T00:00:00+02:00'],
    ['2016-12-31T23:59:60.5Z', '2016-12-31T23:59:60.5Z'],
    ['20161231T235960', '2016-12-31T23:59:60Z'],
    ['2026-01-03t09:30:00z', '2026-01-03t09:30:00z'],
    ['20260103t0930z', '2026-01-03T09:30:00Z'],
    ['2026-01-03', '2026-01-03T00:00:00Z'],
    ['0000-01-01', '0000-01-01T00:00:00Z'],
    ['2026-01-03T09:30:00', '2026-01-03T09:30:00Z'],
  ])('%s is written %s in RFC 3339', (text, written) => {
    expect(toRfc3339(text)).toBe(written)
  })

  it('rewritten to RFC 3339 is the same instant, and one that Date.parse reads', () => {
    const zone = fc.constantFrom('', 'Z', '+02', '-0800', '+05:30', '-00:00', '+2359', '-23:59')
    const fraction = fc.constantFrom('', ':00', ':59.5', ':59,123456', ':07.000000000001')
    const day = fc.date({
      min: new Date('0000-01-03T00:00:00Z'),
      max: new Date('9999-12-29T00:00:00Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(
        day,
        fc.constantFrom('00:00', '09:30', '23:59', '24:00'),
        fraction,
        zone,
        (date, clock, rest, end) => {
          const text = `${date.toISOString().slice(0, 10)}T${clock}${rest}${end}`
          const instant = readDateTime(text)
          fc.pre(instant !== undefined)
          const written = toRfc3339(text)
          expect([text, parseDateTime(written)]).toEqual([text, instant])
          expect([text, Date.parse(written)]).toEqual([text, instant?.milliseconds])
          expect(toRfc3339(written)).toBe(written)
        },
      ),
      { numRuns: 1_000 },
    )
  })

  it('that is wrong gets one of two errors: wrong format, or a day or time that does not exist', () => {
    for (const text of ['yesterday', '1767432600', '', '2026-01', '03.01.2026', '2026-01-03T09:30y'])
      expect([text, dateTimeProblem(text)]).toEqual([
        text,
        'must be an ISO 8601 date-time such as 2026-01-03T09:30:00Z',
      ])
    for (const text of ['2026-02-30', '2026-13-01T00:00:00Z', '2026-01-03T25:00Z', '2026-01-03T09:30:00+24:00'])
      expect([text, dateTimeProblem(text)]).toEqual([text, expect.stringMatching(/does not exist; send an ISO 8601/)])
    for (const text of ['2026-W01-6', '2026W016', '2026-W01-6T09:30:00Z'])
      expect([text, dateTimeProblem(text)]).toEqual([text, expect.stringMatching(/^is a week date; send an ISO 8601/)])
    for (const text of ['2026-003', '2026003', '2026-003T09:30:00Z'])
      expect([text, dateTimeProblem(text)]).toEqual([text, expect.stringMatching(/^is an ordinal date; send/)])
    expect(dateTimeProblem('2026-01-03')).toBeUndefined()
  })

  it.each([
    '',
    '2026-01-03',
    '2026-01-03T09:30:00',
    '2026-01-03 09:30:00Z',
    '2026-01-03T09:30:00y',
    '2026-1-3T09:30:00Z',
    '2026-0103T09:30:00Z',
    '2026-01-03T09:30:00.Z',
    '2026-01-03T09:3000Z',
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

  it('is checked in time linear in its length', () => {
    for (const text of ['2026-01-03T09:30:00.'.padEnd(8192, '1'), '0'.repeat(8192), '2026-01-03T09:30:00Z'.repeat(400)])
      expect(isDateTime(text)).toBe(false)
  })
})
