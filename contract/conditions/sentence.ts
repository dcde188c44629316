import type {
  AttributeLeaf,
  Condition,
  ContentLeaf,
  EventLeaf,
  Leaf,
  SegmentLeaf,
  TimeLeaf,
  Weekday,
} from './condition.ts'
import { durationWords } from './duration.ts'
import { type ExactEvent, exactEventOf } from './exactly.ts'
import { type ByKind, byKind, kindOf, type LeafKind } from './kinds.ts'
import { complement } from './operators.ts'
import { comparisonWords, listed, timesWords } from './words.ts'

/**
 * A condition as one plain English sentence without its full stop. Segments and content have the names that the caller knows
 * of them, else their keys.
 */
export function sentenceOf(condition: Condition, names: Names = {}): string {
  return partSentence(condition, names, false)
}

/** Names by keys. */
export interface Names {
  readonly segments?: ReadonlyMap<string, string>
  readonly content?: ReadonlyMap<string, string> | undefined
}

export const segmentName = (key: string, names: Names): string => names.segments?.get(key) ?? key

/** A name may have several words. */
export function contentName(key: string, { content }: Names): string {
  const name = content?.get(key)
  return name === undefined || name === '' ? key : `“${name}”`
}

/** `isInner`: within another group, so that a group of several parts stands in brackets. */
function partSentence(part: Condition, names: Names, isInner: boolean): string {
  const exact = exactEventOf(part)
  if (exact) return exactSentence(exact)
  if ('all' in part) return joined(part.all, ' and ', names, isInner)
  if ('any' in part) return joined(part.any, ' or ', names, isInner)
  if ('not' in part) return negated(part.not, names, isInner)
  return leafSentence(part, names)
}

function joined(parts: readonly Condition[], word: string, names: Names, isInner: boolean): string {
  const words = parts.map((part) => partSentence(part, names, parts.length > 1 || isInner)).join(word)
  return isInner && parts.length > 1 ? `(${words})` : words
}

function negated(part: Condition, names: Names, isInner: boolean): string {
  if ('not' in part) return partSentence(part.not, names, isInner)
  if ('all' in part || 'any' in part) {
    const words = partSentence(part, names, true)
    return words.startsWith('(') ? `not ${words}` : `not (${words})`
  }
  const opposite = oppositeOf(part)
  return opposite ? leafSentence(opposite, names) : `not (${leafSentence(part, names)})`
}

/** The leaf that holds exactly where this one does not, if there is one. */
export function oppositeOf(leaf: Leaf): Leaf | undefined {
  switch (kindOf(leaf)) {
    case 'attribute':
    case 'answer': {
      const compared = leaf as AttributeLeaf
      const is = complement(compared.is)
      return is && { ...compared, is }
    }
    case 'event': {
      const { at_least, at_most, ...event } = leaf as EventLeaf
      return at_most === undefined ? { ...event, at_most: (at_least ?? 1) - 1 } : { ...event, at_least: at_most + 1 }
    }
    case 'segment':
      return { ...(leaf as SegmentLeaf), is: (leaf as SegmentLeaf).is === 'in' ? 'not_in' : 'in' }
    default:
      return undefined
  }
}

export function leafSentence(leaf: Leaf, names: Names = {}): string {
  return byKind(sentences, leaf, names)
}

const sentences: ByKind<LeafKind, string, [Names]> = {
  attribute: (leaf) => `${subjectOf(leaf)} ${comparisonWords(leaf)}`,
  event: (leaf) => `${leaf.event} ${countWords(leaf)}${eventWindow(leaf)}${whereWords(leaf)}`,
  content: (leaf, names) =>
    `${contentName(leaf.content, names)} ${stateWords[leaf.is]}${leaf.within === undefined ? '' : ` ${lastWords(leaf.within)}`}`,
  segment: ({ segment, is }, names) => `${is === 'in' ? 'in' : 'not in'} the segment ${segmentName(segment, names)}`,
  answer: (leaf, names) =>
    `the answer to ${leaf.question} of ${contentName(leaf.answer, names)} ${comparisonWords(leaf)}`,
  time: timeSentence,
  url: ({ url }) => `the address fits ${url}`,
  element: ({ element, is = 'visible' }) => `${listed(element, 'or')} ${is === 'clicked' ? 'was' : 'is'} ${is}`,
  input: (leaf) => `the input ${listed(leaf.input, 'or')} ${comparisonWords(leaf)}`,
  viewport: ({ viewport: { at_least, at_most } }) => {
    const bounds = [
      ...(at_least === undefined ? [] : [`at least ${at_least}`]),
      ...(at_most === undefined ? [] : [`at most ${at_most}`]),
    ]
    return `the window is ${listed(bounds, 'and')} pixels wide`
  },
  locale: ({ locale }) => `the language is ${listed(locale, 'or')}`,
}

const stateWords: Record<ContentLeaf['is'], string> = {
  seen: 'was seen',
  completed: 'was completed',
  active: 'is active',
  dismissed: 'was dismissed',
  not_seen: 'was not seen',
}

export function subjectOf({ attribute, of = 'user' }: Pick<AttributeLeaf, 'attribute' | 'of'>): string {
  return of === 'user' ? attribute : `the ${of}'s ${attribute}`
}

function countWords({ at_least = 1, at_most }: EventLeaf): string {
  if (at_most === 0) return 'never happened'
  if (at_most !== undefined) return `happened at most ${timesWords(at_most)}`
  return at_least === 1 ? 'happened' : `happened at least ${timesWords(at_least)}`
}

function exactSentence({ event, times }: ExactEvent): string {
  return `${event.event} happened exactly ${timesWords(times)}${eventWindow(event)}${whereWords(event)}`
}

/** ` in the last 7 days`, ` in the group`. */
export function eventWindow({ within, since, by }: EventLeaf): string {
  const from = since === 'created_at' ? 'the user was created' : since
  const windows = [
    ...(within === undefined ? [] : [lastWords(within)]),
    ...(from === undefined ? [] : [`since ${from}`]),
  ]
  return `${by === 'group' ? ' in the group' : ''}${windows.length === 0 ? '' : ` ${listed(windows, 'and')}`}`
}

/** `in the last 7 days`, `in the last day`. */
export function lastWords(within: string): string {
  return `in the last ${durationWords(within).replace(/^1 /, '')}`
}

export function whereWords({ where = [] }: EventLeaf): string {
  const words = where.map((leaf) => `${leaf.attribute} ${comparisonWords(leaf)}`)
  return words.length === 0 ? '' : `, where ${listed(words, 'and')}`
}

const dayNames: Record<Weekday, string> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
}

function timeSentence(leaf: TimeLeaf): string {
  if (!('zone' in leaf)) {
    const { after, before } = leaf as { after?: string; before?: string }
    const bounds = [...(after ? [`after ${after}`] : []), ...(before ? [`before ${before}`] : [])]
    return `it is ${listed(bounds, 'and')}`
  }
  const days = (leaf.weekdays ?? []).map((day) => dayNames[day])
  const hours = leaf.from === undefined ? '' : `between ${leaf.from} and ${leaf.to}`
  return `it is ${[listed(days, 'or'), hours, `in ${leaf.zone}`].filter((words) => words !== '').join(' ')}`
}
