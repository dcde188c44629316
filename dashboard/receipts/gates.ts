import { gateNames } from '../../contract/content/gate-names.ts'
import { fact } from '../format/time.ts'
import { countLacking } from './lines.ts'
import type { Gate } from './queries.ts'

/** A sentence of the server, with its instants as people write them. */
export const readable = (sentence: string): string =>
  sentence.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (instant) => fact(new Date(instant), new Date()))

/** The sentence of a receipt of now. What is shown comes with a page: `Will be`, or for a draft `Would be`. */
export function toldWords(sentence: string, verb: 'Will be' | 'Would be' = 'Will be'): string {
  if (sentence === 'Shown') return `${verb} shown on their next page`
  return readable(sentence.replace(/^Shown/, `${verb} shown`))
}

export type Standing = 'lets' | 'stops' | 'would' | 'would_stop' | 'browser'

export interface Rung {
  gate: Gate
  name: string
  standing: Standing
}

/** Gates after the first that stops are still asked, so that nobody solves one and meets the next. */
export function rungsOf(gates: readonly Gate[]): Rung[] {
  const first = gates.findIndex(({ open }) => open === false)
  return gates.map((gate, index) => ({
    gate,
    name: gateNames[gate.gate] ?? gate.gate,
    standing: standingOf(gate, index, first),
  }))
}

function standingOf({ open }: Gate, index: number, first: number): Standing {
  if (open === null) return 'browser'
  const isLater = first >= 0 && index > first
  if (open) return isLater ? 'would' : 'lets'
  return isLater ? 'would_stop' : 'stops'
}

export const STANDINGS: Record<Standing, string> = {
  lets: 'lets them in',
  stops: 'stops here',
  would: 'would let them in',
  would_stop: 'would stop too',
  browser: 'the browser decides',
}

const OPEN: Record<string, string> = {
  published: 'it is published',
  known: 'the user is known here',
  frequency: 'it may be shown now',
  who: 'every line holds',
  quiet: 'nothing else was shown a moment ago',
  order: 'none goes before it',
  where: 'on every page',
  claim: 'not open in another browser',
}

const CLOSED: Record<string, string> = {
  not_published: 'it is not published',
  guidance_off: 'all content of this environment is switched off',
  user_unknown: 'there is no such user',
  identity_not_verified: 'the identity of the user is not verified',
  script_too_old: 'the script in the page is too old',
  already_seen: 'seen already, and it is shown once',
  already_completed: 'completed already',
  not_again_before: 'it was shown lately',
  at_most_reached: 'it was shown as often as it may be',
  quiet_until: 'another flow ended a moment ago',
  in_the_page: 'where the page fits',
  shown_elsewhere: 'another browser of the user shows it',
}

/** One line beside the name of a gate. */
export function gateWords({ gate, open, code, behind, leaves }: Gate): string {
  if (gate === 'order' && behind.length > 0) return `after ${behind.join(', ')}`
  if (gate === 'who' && leaves.length > 0)
    return open ? holdingWords(leaves) : linesWords(countLacking(leaves), leaves.length)
  return open ? (OPEN[gate] ?? '') : (CLOSED[code ?? ''] ?? code ?? '')
}

function holdingWords(leaves: Gate['leaves']): string {
  const [holding, all] = [leaves.filter(({ met }) => met === true).length, leaves.length]
  if (holding === all) return all === 1 ? 'its line holds' : `all ${all} lines hold`
  return `${holding} of ${all} lines ${holding === 1 ? 'holds' : 'hold'}, which is enough`
}

function linesWords(lacking: number, all: number): string {
  return `${lacking} of ${all} ${all === 1 ? 'line' : 'lines'} ${lacking === 1 ? 'does' : 'do'} not hold`
}
