import { DAY_MS, HOUR_MS } from '../../contract/units.ts'

/** The ranges to choose from, in milliseconds up to now, and one of one's own. */
export const SPANS = [
  { value: String(HOUR_MS), label: 'The last hour' },
  { value: String(DAY_MS), label: 'The last 24 hours' },
  { value: String(7 * DAY_MS), label: 'The last 7 days' },
  { value: String(30 * DAY_MS), label: 'The last 30 days' },
  { value: 'own', label: 'From … to …' },
]

/** `since` and `until` are local times of the browser, of a range of one's own. */
export type Choice = { span: string; since: string; until: string }
export type Range = { since: string; until: string }

export function rangeOf({ span, since, until }: Choice, now: Date): Range | { problem: string } {
  if (span !== 'own') return { since: new Date(now.getTime() - Number(span)).toISOString(), until: now.toISOString() }
  const [from, to] = [new Date(since), until === '' ? now : new Date(until)]
  if (Number.isNaN(from.getTime())) return { problem: 'Enter when the range begins.' }
  if (Number.isNaN(to.getTime())) return { problem: 'Enter when the range ends, or leave it empty for now.' }
  if (from >= to) return { problem: 'The range must begin before it ends.' }
  return { since: from.toISOString(), until: to.toISOString() }
}
