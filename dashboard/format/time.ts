import { DAY_MS } from '../../contract/units.ts'
import { roughly } from './duration.ts'

/** Locale and time zone of the browser; tests pass their own. */
export type Region = { locale?: string | undefined; timeZone?: string | undefined }

/** By locale, time zone and options: a format takes a hundred times as long to make as to use. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(options: Intl.DateTimeFormatOptions, { locale, timeZone }: Region): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, timeZone, options])
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(locale, { ...options, timeZone, hourCycle: 'h23' })
  formats.set(key, made)
  return made
}

const format = (at: Date, options: Intl.DateTimeFormatOptions, region: Region) => formatOf(options, region).format(at)

const year = (at: Date, region: Region) => format(at, { year: 'numeric' }, region)

/** 12 Nov; 3 Mar 2024 when it is not this year. */
export function day(at: Date, now: Date, region: Region = {}): string {
  const same = year(at, region) === year(now, region)
  return format(
    at,
    same ? { day: 'numeric', month: 'short' } : { day: 'numeric', month: 'short', year: 'numeric' },
    region,
  )
}

/** 14:02, 14:02:11 or 14:02:11.482 */
export function clock(
  at: Date,
  digits: 'minutes' | 'seconds' | 'milliseconds' = 'minutes',
  region: Region = {},
): string {
  const seconds = digits === 'minutes' ? {} : { second: '2-digit' as const }
  const fraction = digits === 'milliseconds' ? { fractionalSecondDigits: 3 as const } : {}
  return format(at, { hour: '2-digit', minute: '2-digit', ...seconds, ...fraction }, region)
}

/** A fact: 12 Nov, 14:02; 3 Mar 2024, 09:30 */
export function fact(
  at: Date,
  now: Date,
  digits: 'minutes' | 'seconds' | 'milliseconds' = 'minutes',
  region: Region = {},
): string {
  return `${day(at, now, region)}, ${clock(at, digits, region)}`
}

/** Activity: 2 min ago up to a day, then a fact. Future times are facts too. */
export function activity(at: Date, now: Date, region: Region = {}): string {
  const age = now.getTime() - at.getTime()
  if (age < -5000 || age >= DAY_MS) return fact(at, now, 'minutes', region)
  return age < 5000 ? 'just now' : `${roughly(age)} ago`
}

/** The heading of a day in a timeline: Today, 12 November. */
export function dayHeading(at: Date, now: Date, region: Region = {}): string {
  const same = year(at, region) === year(now, region)
  const name = format(at, { day: 'numeric', month: 'long', ...(same ? {} : { year: 'numeric' }) }, region)
  if (dayKey(at, region) === dayKey(now, region)) return `Today, ${name}`
  return dayKey(at, region) === dayKey(new Date(now.getTime() - DAY_MS), region) ? `Yesterday, ${name}` : name
}

/** Equal for two times of one local day. */
export const dayKey = (at: Date, region: Region = {}): string =>
  format(at, { year: 'numeric', month: '2-digit', day: '2-digit' }, region)

/** Local time with its zone, in full: 12 November 2026, 14:02:11.482 CET */
export function exact(at: Date, region: Region = {}): string {
  const date = format(at, { day: 'numeric', month: 'long', year: 'numeric' }, region)
  const zone = formatOf({ timeZoneName: 'short' }, region)
    .formatToParts(at)
    .find((part) => part.type === 'timeZoneName')?.value
  return `${date}, ${clock(at, 'milliseconds', region)} ${zone ?? ''}`.trim()
}

/** 2026-11-12 13:02:11.482 UTC */
export const utc = (at: Date): string => `${at.toISOString().replace('T', ' ').replace('Z', '')} UTC`
