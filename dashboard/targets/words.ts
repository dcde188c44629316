import { stabilityOf } from '../../contract/content/stability.ts'
import { count, counted, percent } from '../format/number.ts'
import type { TargetResult } from './queries.ts'

export const STABILITY = { stable: 'Stable', fair: 'Fair', weak: 'Weak' } as const

export const triesOf = ({ locators, missing }: TargetResult): number =>
  locators.reduce((sum, { found }) => sum + found, missing)

export type TargetState = 'found' | 'seldom' | 'missing' | 'unknown'

/** Below it an hour is amber, and so is the whole. */
export const GOOD_SHARE = 0.95

export function stateOf(target: TargetResult): TargetState {
  if (target.missing_since !== null) return 'missing'
  const tries = triesOf(target)
  if (tries === 0) return 'unknown'
  return tries - target.missing < GOOD_SHARE * tries ? 'seldom' : 'found'
}

/** `Found in 99.4 % of 3,120 tries.` */
export function foundWords(target: TargetResult): string {
  const tries = triesOf(target)
  if (tries === 0) return target.last_at === null ? 'Not looked for yet.' : 'Not looked for in 24 hours.'
  return `Found in ${percent(tries - target.missing, tries)} of ${counted(tries, 'try', 'tries')}.`
}

/** Which locators were needed: what is said when the first is not enough. */
export function locatorWords({ locators, missing }: TargetResult): string {
  const [first, ...others] = locators
  if (!first) return ''
  const { level, words } = stabilityOf(first.locator)
  const needed = others.reduce((sum, { found }) => sum + found, 0)
  const found = first.found + needed
  if (needed > 0)
    return `${STABILITY[level]}: ${words}. Others than the first locator were needed ${times(needed, found)}.`
  if (others.length === 0 || found + missing === 0) return `${STABILITY[level]}: ${words}.`
  return `${STABILITY[level]}: ${words}; ${others.length === 1 ? 'the 2nd locator was' : 'the others were'} never needed.`
}

const times = (part: number, all: number) => `${count(part)} of ${counted(all, 'time', 'times')}`
