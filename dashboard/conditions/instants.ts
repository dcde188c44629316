import { readDate } from '../../contract/datetime.ts'
import { MISSING } from './attribute-parts.ts'

/** Files have instants in any zone. Pages show them, and have them typed, in UTC. */
const inUtc = (instant: string): string | undefined => readDate(instant)?.toISOString()

/** `2026-01-03 09:30 UTC`. */
export function instantWords(instant: string): string {
  const utc = inUtc(instant)
  return utc ? `${utc.slice(0, 10)} ${utc.slice(11, 16)} UTC` : MISSING
}

/** As `datetime-local` has it, which knows no zone: in UTC. */
export const fieldOf = (instant: string): string => inUtc(instant)?.slice(0, 16) ?? ''

/** What the field says. What was not changed in it stays as it was written, with its zone and its seconds. */
export const instantIn = (field: string, before: string): string =>
  field === fieldOf(before) ? before : `${field}:00Z`
