import { roughly } from './duration.ts'

/** Locale and time zone of the browser; tests pass their own. */
export type Place = { locale?: string | undefined; timeZone?: string | undefined }

const DAY = 86_400_000

function format(at: Date, options: Intl.DateTimeFormatOptions, { locale, timeZone }: Place): string {
  return new Intl.DateTimeFormat(locale, { ...options, timeZone, hourCycle: 'h23' }).format(at)
}

const year = (at: Date, place: Place) => format(at, { year: 'numeric' }, place)

/** 12 Nov; 3 Mar 2024 when it is not this year. */
export function day(at: Date, now: Date, place: Place = {}): string {
  const same = year(at, place) === year(now, place)
  return format(
    at,
    same ? { day: 'numeric', month: 'short' } : { day: 'numeric', month: 'short', year: 'numeric' },
    place,
  )
}

/** 14:02, 14:02:11 or 14:02:11.482 */
export function clock(at: Date, digits: 'minutes' | 'seconds' | 'milliseconds' = 'minutes', place: Place = {}): string {
  const seconds = digits === 'minutes' ? {} : { second: '2-digit' as const }
  const fraction = digits === 'milliseconds' ? { fractionalSecondDigits: 3 as const } : {}
  return format(at, { hour: '2-digit', minute: '2-digit', ...seconds, ...fraction }, place)
}

/** A fact: 12 Nov, 14:02; 3 Mar 2024, 09:30 */
export function fact(
  at: Date,
  now: Date,
  digits: 'minutes' | 'seconds' | 'milliseconds' = 'minutes',
  place: Place = {},
): string {
  return `${day(at, now, place)}, ${clock(at, digits, place)}`
}

/** Activity: 2 min ago up to a day, then a fact. Future times are facts too. */
export function activity(at: Date, now: Date, place: Place = {}): string {
  const age = now.getTime() - at.getTime()
  if (age < -5000 || age >= DAY) return fact(at, now, 'minutes', place)
  return age < 5000 ? 'just now' : `${roughly(age)} ago`
}

/** The heading of a day in a timeline: Today, 12 November. */
export function dayHeading(at: Date, now: Date, place: Place = {}): string {
  const same = year(at, place) === year(now, place)
  const name = format(at, { day: 'numeric', month: 'long', ...(same ? {} : { year: 'numeric' }) }, place)
  if (dayKey(at, place) === dayKey(now, place)) return `Today, ${name}`
  return dayKey(at, place) === dayKey(new Date(now.getTime() - DAY), place) ? `Yesterday, ${name}` : name
}

/** Equal for two times of one local day. */
export const dayKey = (at: Date, place: Place = {}): string =>
  format(at, { year: 'numeric', month: '2-digit', day: '2-digit' }, place)

/** Local time with its zone, in full: 12 November 2026, 14:02:11.482 CET */
export function exact(at: Date, place: Place = {}): string {
  const date = format(at, { day: 'numeric', month: 'long', year: 'numeric' }, place)
  const zone = new Intl.DateTimeFormat(place.locale, { timeZone: place.timeZone, timeZoneName: 'short' })
    .formatToParts(at)
    .find((part) => part.type === 'timeZoneName')?.value
  return `${date}, ${clock(at, 'milliseconds', place)} ${zone ?? ''}`.trim()
}

/** 2026-11-12 13:02:11.482 UTC */
export const utc = (at: Date): string => `${at.toISOString().replace('T', ' ').replace('Z', '')} UTC`
