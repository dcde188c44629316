import { durationWords, isDuration } from '../../contract/conditions/duration.ts'
import type { ContentDocument, Frequency, When } from '../../contract/content/document.ts'
import { STANDARD_FREQUENCY } from '../../contract/content/standard-when.ts'

export function frequencyOf({ when }: ContentDocument): Frequency {
  return when?.frequency ?? STANDARD_FREQUENCY
}

/** A number of times makes sense where it may come again. */
export const takesMost = (frequency: Frequency): boolean => frequency !== 'once' && frequency !== 'always'

/** What changes with another choice of how often: a number of times goes where it makes no sense, and has no field. */
export function frequencyChange(value: Exclude<Frequency, object> | 'every'): Partial<Record<keyof When, unknown>> {
  const frequency = value === 'every' ? ({ every: '30d' } as const) : value
  return { frequency, ...(takesMost(frequency) ? {} : { at_most: undefined }) }
}

/** Undefined: nothing is typed. */
export const typedNumber = (digits: string, most: number): number | undefined =>
  digits === '' ? undefined : Math.min(Number(digits), most)

export function frequencyWords(frequency: Frequency): string {
  if (typeof frequency === 'object')
    return isDuration(frequency.every) ? `every ${durationWords(frequency.every)}` : 'again'
  return { once: 'once', until_completed: 'until it is completed', always: 'always' }[frequency]
}

/** What becomes of content that a user has hidden. */
export function hiddenWords(frequency: Frequency): string {
  return frequency === 'once'
    ? 'Whoever hides it does not see it again: it is shown once.'
    : `Whoever hides it may see it again: it is shown ${frequencyWords(frequency)}.`
}

export function whenWords({ type, when }: ContentDocument, quietSeconds: number): string {
  const wait = when?.wait && isDuration(when.wait) ? `, ${durationWords(when.wait)} after the page is there` : ''
  const most = when?.at_most === undefined ? '' : `, at most ${when.at_most === 1 ? 'once' : `${when.at_most} times`}`
  const isQuiet = type === 'flow' && quietSeconds > 0 && !when?.exempt_from_quiet
  return `${most}${wait}${isQuiet ? `, and at least ${hours(quietSeconds)} after any other flow` : ''}`
}

export function hours(seconds: number): string {
  if (seconds % 3600 === 0) return seconds === 3600 ? '1 hour' : `${seconds / 3600} hours`
  return `${Math.round(seconds / 60)} minutes`
}
