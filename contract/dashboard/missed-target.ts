import type { Static } from 'typebox'
import { count, orNull, resource, text, time } from './fields.ts'

/** A target that pages did not find in a share of their tries within a day: of those of a version the worst. */
export const MissedTarget = resource({
  /** The key of the step, and its number from 1; 0 of a launcher, which has no steps. */
  step: text,
  number: count,
  missed: count,
  tries: count,
  /** Since when no page has found it; null when some still do. */
  since: orNull(time),
})
export type MissedTarget = Static<typeof MissedTarget>
