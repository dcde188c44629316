import type { Duration } from './condition.ts'

/**
 * Durations of conditions and documents: `90s`, `10m`, `12h`, `7d`, `4w`. The longest are less than 3,000 years, so that every
 * time that one of them leads to is one that PostgreSQL and RFC 3339 have.
 */
export const DURATION_PATTERN = '^([1-9][0-9]{0,5}[smhd]|[1-9][0-9]{0,4}w)$'
/** The most that the pattern allows. */
export const LONGEST_RULE = 'at most 999999, or 99999w'
export const DURATION_RULE = 'must be a whole number with s, m, h, d or w behind it, such as 90s, 10m, 12h, 7d or 4w'

const unitMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

const pattern = new RegExp(DURATION_PATTERN)

export function isDuration(text: string): boolean {
  return pattern.test(text)
}

/** Documents from before the limit may have longer ones. They count as this, which is before every time of RFC 3339. */
const LONGEST = '999999d'

const givenMs = (duration: Duration) => Number.parseInt(duration, 10) * (unitMs[duration.at(-1) as string] as number)
const LONGEST_MS = givenMs(LONGEST)

/** The milliseconds of a duration. */
export function durationMs(duration: Duration): number {
  return Math.min(givenMs(duration), LONGEST_MS)
}

const unitNames: Record<string, string> = { s: 'second', m: 'minute', h: 'hour', d: 'day', w: 'week' }

/** `7d` → `7 days`. */
export function durationWords(duration: Duration): string {
  const count = Number.parseInt(duration, 10)
  if (givenMs(duration) > LONGEST_MS) return `${durationWords(LONGEST)} (the longest; ${duration} was asked for)`
  return `${count} ${unitNames[duration.at(-1) as string]}${count === 1 ? '' : 's'}`
}
