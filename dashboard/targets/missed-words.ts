import { counted, percent } from '../format/number.ts'
import { fact } from '../format/time.ts'

interface Missed {
  /** 0 of a launcher, which has no steps. */
  number: number
  missed: number
  tries: number
  since: string | null
}

/** For a row of the list: `step 4 finds no element`. */
export function missedRow({ number, missed, tries, since }: Missed): string {
  const who = number === 0 ? '' : `step ${number} `
  if (since !== null) return `${who}finds no element`
  return `${who}finds its element in ${percent(tries - missed, tries)} of tries`
}

/** `The element of step 4 has been missing since 12 Nov, 09:40: 41 tries of the last day failed.` */
export function missedWords({ number, missed, tries, since }: Missed, now = new Date()): string {
  const element = number === 0 ? 'Its element' : `The element of step ${number}`
  if (since !== null)
    return `${element} has been missing since ${fact(new Date(since), now)}: ${counted(missed, 'try', 'tries')} of the last day failed.`
  return `${element} was not found in ${percent(missed, tries)} of ${counted(tries, 'try', 'tries')} of the last day.`
}
