/**
 * ISO 8601 date-times, basic (`20260103T0930Z`) or extended. `Date.parse` is not used: it accepts far more than ISO 8601 and
 * turns 31 February into March.
 */
const DATE = String.raw`(\d{4})(-?)(\d\d)\2(\d\d)`
const TIME = String.raw`[Tt](\d\d)(?:(:?)(\d\d)(?:\6(\d\d)(?:[.,](\d+))?)?)?`
const ZONE = String.raw`([Zz]|[+-]\d\d(?::?\d\d)?)`
/** For JSON Schema. Days and times that do not exist have this form too. */
export const DATE_TIME_PATTERN = `^${DATE}(?:${TIME}${ZONE}?)?$`
const DATE_TIME = new RegExp(DATE_TIME_PATTERN)
const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt]([01]\d|2[0-3]):\d\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/
/** Forms of ISO 8601 that are refused by name. */
const WEEK_DATE = /^\d{4}-?W\d\d/
const ORDINAL_DATE = /^\d{4}-?\d{3}(?:[Tt]|$)/

const ZERO = 48

const FORM = 'an ISO 8601 date-time such as 2026-01-03T09:30:00Z'
export const DATE_TIME_RULE = `must be ${FORM}`

/** The instant of a date-time: whole milliseconds since 1970, and the digits of its fraction beyond them. */
export interface Instant {
  milliseconds: number
  rest: string
}

/** A date-time with an offset or `Z`: what an untyped string has to be to count as a `datetime`. */
export function parseDateTime(text: string): Instant | undefined {
  // Most attribute values are not date-times. Two characters rule out nearly all of those.
  if (!isT(text.charCodeAt(10)) && !isT(text.charCodeAt(8))) return undefined
  const parts = parse(text)
  return parts?.zone === undefined ? undefined : instantOf(parts)
}

function isT(code: number): boolean {
  return code === 84 || code === 116
}

/** A date-time where the type is given: without an offset it is UTC, and a date alone is midnight UTC. */
export function readDateTime(text: string): Instant | undefined {
  const parts = parse(text)
  return parts && instantOf(parts)
}

/** The same as a `Date`; undefined when nothing is given. */
export function readDate(text: string | null | undefined): Date | undefined {
  const instant = text ? readDateTime(text) : undefined
  return instant && new Date(instant.milliseconds)
}

export function isDateTime(text: string): boolean {
  return parseDateTime(text) !== undefined
}

/** What is wrong with a text that has to be a date-time. */
export function dateTimeProblem(text: string): string | undefined {
  if (readDateTime(text)) return undefined
  if (WEEK_DATE.test(text)) return `is a week date; send ${FORM}`
  if (ORDINAL_DATE.test(text)) return `is an ordinal date; send ${FORM}`
  if (!DATE_TIME.test(text)) return DATE_TIME_RULE
  return `${JSON.stringify(text.slice(0, 50))} is a day or a time that does not exist; send ${FORM}`
}

/** The same text when it is RFC 3339, which every language reads; else the same local time and offset written so. */
export function toRfc3339(text: string): string {
  if (RFC_3339.test(text)) return text
  const parts = parse(text) as DateTimeParts
  // A leap second stays one: a Date would make the next second of it.
  const isLeapSecond = parts.second === 60
  const local = new Date(localMilliseconds({ ...parts, second: isLeapSecond ? 59 : parts.second })).toISOString()
  const { fraction } = parts
  const zone = parts.zone?.toUpperCase() ?? 'Z'
  const digits = zone.replace(/[^\d]/g, '').padEnd(4, '0')
  const offset = zone === 'Z' ? zone : `${zone.charAt(0)}${digits.slice(0, 2)}:${digits.slice(2)}`
  const clock = isLeapSecond ? `${local.slice(0, 17)}60` : local.slice(0, 19)
  return `${clock}${fraction === '' ? '' : `.${fraction}`}${offset}`
}

interface DateTimeParts {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
  fraction: string
  zone: string | undefined
  offsetMinutes: number
}

/** Undefined also for a day or a time that does not exist. */
function parse(text: string): DateTimeParts | undefined {
  const match = DATE_TIME.exec(text)
  if (!match) return undefined
  const number = (index: number) => Number(match[index] ?? 0)
  const zone = match[10]
  const parts = {
    year: number(1),
    month: number(3),
    day: number(4),
    hour: number(5),
    minute: number(7),
    second: number(8),
    fraction: match[9] ?? '',
    zone,
    offsetMinutes: offsetMinutes(zone),
  }
  return isDay(parts) && isTime(parts) ? parts : undefined
}

function isDay({ year, month, day }: DateTimeParts): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(utc(year, month + 1, 0)).getUTCDate()
}

/** `24:00:00` is the midnight at the end of the day. A leap second is the last of a day in UTC. */
function isTime(parts: DateTimeParts): boolean {
  const { hour, minute, second, fraction, offsetMinutes } = parts
  if (Number.isNaN(offsetMinutes) || minute > 59 || second > 60) return false
  if (hour < 24 && second < 60) return true
  const utcMinute = (((hour * 60 + minute - offsetMinutes) % 1440) + 1440) % 1440
  const isEndOfDay = hour === 24 && minute === 0 && second === 0 && /^0*$/.test(fraction)
  const isLeapSecond = hour < 24 && second === 60 && utcMinute === 1439
  // Both mean the second that follows. On the last day of 9999 its year would have five digits.
  return (isEndOfDay || isLeapSecond) && new Date(localMilliseconds(parts)).getUTCFullYear() <= 9999
}

/** Of `Z`, `+02`, `+0530` and `+05:30`; NaN when there is no such offset. */
function offsetMinutes(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(3).replace(':', ''))]
  if (hours > 23 || minutes > 59) return Number.NaN
  return (zone.charAt(0) === '-' ? -1 : 1) * (hours * 60 + minutes)
}

function instantOf(parts: DateTimeParts): Instant {
  const fraction = parts.fraction.padEnd(3, '0')
  const milliseconds = localMilliseconds(parts) + Number(fraction.slice(0, 3)) - parts.offsetMinutes * 60_000
  return { milliseconds, rest: withoutEndingZeros(fraction.slice(3)) }
}

/** A loop: `/0+$/` begins again at every zero of a run that does not end the text. */
function withoutEndingZeros(digits: string): string {
  let end = digits.length
  while (digits.charCodeAt(end - 1) === ZERO) end -= 1
  return digits.slice(0, end)
}

function localMilliseconds({ year, month, day, hour, minute, second }: DateTimeParts): number {
  return utc(year, month, day) + ((hour * 60 + minute) * 60 + second) * 1000
}

/** `Date.UTC` takes the years 0 to 99 for 1900 to 1999. */
function utc(year: number, month: number, day: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getTime()
}
