import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDateTime } from '../../contract/datetime.ts'
import { beginning, sortKey, timeSortKey } from './sort-key.ts'

/** As PostgreSQL compares under `collate "C"`: byte by byte. */
const compare = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
const text = fc.string({ unit: 'binary', maxLength: 20 })
const number = fc.double({ noNaN: true, noDefaultInfinity: true })

describe('sort keys', () => {
  it('order numbers like the numbers', () => {
    fc.assert(
      fc.property(
        number,
        number,
        (a, b) => Math.sign(compare(sortKey(a), sortKey(b))) === Math.sign(Number(a > b) - Number(a < b)),
      ),
    )
  })

  it('order strings by code point', () => {
    fc.assert(fc.property(text, text, (a, b) => compare(sortKey(a), sortKey(b)) === compare(a, b)))
  })

  it('put absent values first, then booleans, numbers and strings', () => {
    const keys = [
      sortKey(undefined),
      sortKey(false),
      sortKey(true),
      sortKey(-1e308),
      sortKey(1e308),
      sortKey(''),
      sortKey('a'),
    ]
    expect(keys.toSorted(compare)).toEqual(keys)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('have at most 256 characters of a string, and never split a code point', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 200, maxLength: 600 }), (value) => {
        const kept = beginning(value)
        expect(value.startsWith(kept)).toBe(true)
        expect(kept.isWellFormed()).toBe(true)
        expect([...kept].length).toBe(Math.min([...value].length, 256))
      }),
    )
  })
})

describe('time sort keys', () => {
  const offset = fc.constantFrom('Z', '+00:00', '+05:30', '-08:00', '+23:59', '-23:59')
  const fraction = fc.constantFrom('', '.1', '.12', '.123', '.1234', '.123456789', '.120', '.000000001')
  const dateTime = fc
    .tuple(
      fc.date({ min: new Date('0000-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true }),
      fraction,
      offset,
    )
    .map(([date, digits, zone]) => `${date.toISOString().slice(0, 19)}${digits}${zone}`)
  const nanoseconds = (value: string) => {
    const instant = parseDateTime(value)
    return BigInt(instant?.milliseconds ?? 0) * 1_000_000n + BigInt((instant?.rest ?? '').padEnd(6, '0'))
  }

  it('order date-times by their instant, whatever offset they were written with', () => {
    fc.assert(
      fc.property(dateTime, dateTime, (a, b) => {
        const [left, right] = [nanoseconds(a), nanoseconds(b)]
        expect(Math.sign(compare(timeSortKey(a), timeSortKey(b)))).toBe(left < right ? -1 : left > right ? 1 : 0)
      }),
    )
  })

  it('of a fraction of any length fit an index entry', () => {
    const keys = ['1', '12'].map((end) => timeSortKey(`2026-01-03T09:30:00.${'0'.repeat(100)}${end}Z`))
    expect(keys.toSorted(compare)).toEqual(keys)
    expect(timeSortKey(`2026-01-03T09:30:00.${'1'.repeat(8_000)}Z`).length).toBeLessThan(300)
  })

  it('put other values beside them in a fixed order', () => {
    const keys = [
      undefined,
      true,
      '0000-01-01T00:00:00+23:59',
      '2026-01-03',
      '2026-01-03T00:00:01',
      '20260103T000001.5Z',
      '9999-12-31T23:59:59-23:59',
      5,
      'yesterday',
    ].map(timeSortKey)
    expect(keys.toSorted(compare)).toEqual(keys)
  })
})
