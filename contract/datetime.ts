const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d\d)(?::?(\d\d))?)$/

/** The instant of a date-time: whole milliseconds since 1970, and the digits of its fraction beyond them. */
export interface Instant {
  milliseconds: number
  rest: string
}

/**
 * Reads a full ISO 8601 date-time with an offset or `Z`; anything else, also a day that no calendar has, is undefined.
 * `Date.parse` is not asked: it accepts far more than ISO 8601 and turns 31 February into March.
 */
export function parseDateTime(text: string): Instant | undefined {
  // Nearly every text that is asked about is something else, and is told by its length and its T.
  if (text.length < 17 || text.length > 35 || text.charCodeAt(10) !== 84) return undefined
  const match = DATE_TIME.exec(text)
  if (!match) return undefined
  const [year, month, day, hour, minute] = [1, 2, 3, 4, 5].map((part) => Number(match[part])) as [
    number,
    number,
    number,
    number,
    number,
  ]
  const second = Number(match[6] ?? 0)
  const offset = Number(match[9] ?? 0) * 60 + Number(match[10] ?? 0)
  const isDate = month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
  const isTime =
    hour <= 23 && minute <= 59 && second <= 59 && Number(match[9] ?? 0) <= 23 && Number(match[10] ?? 0) <= 59
  if (!isDate || !isTime) return undefined
  const fraction = (match[7] ?? '').padEnd(3, '0')
  const local = utc(year, month, day) + ((hour * 60 + minute) * 60 + second) * 1000 + Number(fraction.slice(0, 3))
  const sign = match[8] === '-' ? -1 : 1
  return { milliseconds: local - sign * offset * 60_000, rest: fraction.slice(3).replace(/0+$/, '') }
}

export function isDateTime(text: string): boolean {
  return parseDateTime(text) !== undefined
}

function daysInMonth(year: number, month: number): number {
  return new Date(utc(year, month + 1, 0)).getUTCDate()
}

/** `Date.UTC` takes the years 0 to 99 for 1900 to 1999. */
function utc(year: number, month: number, day: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getTime()
}
