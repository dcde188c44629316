import { describe, expect, it } from 'vitest'
import { activity, clock, dayHeading, exact, fact, utc } from './time.ts'

const place = { locale: 'en-GB', timeZone: 'Europe/Berlin' }
const at = new Date('2026-11-12T13:02:11.482Z')
const now = new Date('2026-11-12T13:31:22.000Z')
const plain = (text: string) => text.replaceAll('\u2009', ' ')

describe('times', () => {
  it('shows a fact in local time, with the year when it is another', () => {
    expect(fact(at, now, 'minutes', place)).toBe('12 Nov, 14:02')
    expect(fact(new Date('2024-03-03T08:30:00Z'), now, 'minutes', place)).toBe('3 Mar 2024, 09:30')
    expect(fact(at, now, 'seconds', place)).toBe('12 Nov, 14:02:11')
  })

  it('shows midnight as 00, not as 24', () => {
    expect(clock(new Date('2026-11-11T23:00:00Z'), 'milliseconds', place)).toBe('00:00:00.000')
  })

  it.each([
    [new Date('2026-11-12T13:29:20Z'), '2 min ago'],
    [new Date('2026-11-12T13:31:21Z'), 'just now'],
    [new Date('2026-11-11T13:32:00Z'), '23 h ago'],
    [new Date('2026-11-11T13:31:00Z'), '11 Nov, 14:31'],
    [new Date('2026-11-13T09:00:00Z'), '13 Nov, 10:00'],
  ])('shows activity at %s as %s', (when, text) => {
    expect(plain(activity(when, now, place))).toBe(text)
  })

  it('names the days of a timeline', () => {
    expect(dayHeading(at, now, place)).toBe('Today, 12 November')
    expect(dayHeading(new Date('2026-11-11T20:00:00Z'), now, place)).toBe('Yesterday, 11 November')
    expect(dayHeading(new Date('2024-03-03T08:30:00Z'), now, place)).toBe('3 March 2024')
  })

  it('says the exact time with its zone, and in UTC', () => {
    expect(exact(at, place)).toBe('12 November 2026, 14:02:11.482 CET')
    expect(utc(at)).toBe('2026-11-12 13:02:11.482 UTC')
  })
})
