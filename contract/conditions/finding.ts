import type { AttributeValue, DataType } from '../attributes.ts'
import { readDateTime } from '../datetime.ts'
import type { Leaf, Outcome } from './condition.ts'
import { type ByKind, byKind, type LeafKind } from './kinds.ts'
import { comparedType } from './operators.ts'
import { not } from './outcome.ts'
import {
  contentName,
  eventWindow,
  lastWords,
  leafSentence,
  type Names,
  oppositeOf,
  segmentName,
  subjectOf,
  whereWords,
} from './sentence.ts'
import { neededWords, timesWords, valueWords } from './words.ts'

/** What a leaf came to: what a receipt says of it. */
export interface LeafFinding {
  /** Where the leaf stands in its condition, such as `all[2]`. */
  path: string
  /** Whether the leaf is as the condition needs it: within `not`, whether it does not hold. */
  met: Outcome
  /** What was found: the value of the attribute, a long text cut, the number of events, the state of the content. Null: nothing. */
  value: AttributeValue | null
  /** What would have to be, in words. */
  needed: string
  /** Both in one sentence. */
  sentence: string
}

/** What was found for a leaf, besides its outcome. */
export interface Found {
  value: AttributeValue | null
  /** Why there is no outcome, or no value, in words. */
  remark?: string | undefined
}

/**
 * `outcome` is that of the leaf itself. Within an odd number of `not` (`isNegated`) the condition needs the opposite of it, and
 * the finding is told so.
 */
export function findingOf(
  leaf: Leaf,
  path: string,
  outcome: Outcome,
  found: Found,
  names: Names = {},
  isNegated = false,
): LeafFinding {
  const opposite = isNegated ? oppositeOf(leaf) : undefined
  const told = opposite ?? leaf
  const met = isNegated ? not(outcome) : outcome
  const needed = `${isNegated && !opposite ? 'not ' : ''}${byKind(neededBy, told, names)}`
  const statement = byKind(statements, told, found, names)
  const reason = found.remark === undefined ? statement : `${statement} (${found.remark})`
  const value = cut(found.value)
  if (met === true) return { path, met, value, needed, sentence: reason }
  const lack = met === null ? 'which is not known' : (mismatch(told, found.value) ?? needed)
  return { path, met, value, needed, sentence: `${reason}, ${lack}` }
}

const MOST_CHARACTERS = 200

/** The receipts of one decision can have the same value ten thousand times. No character of two code units is cut in half. */
function cut(value: AttributeValue | null): AttributeValue | null {
  if (typeof value !== 'string' || value.length <= MOST_CHARACTERS) return value
  return `${value.slice(0, MOST_CHARACTERS).replace(/[\ud800-\udbff]$/, '')}…`
}

const typeNames = { string: 'text', number: 'numbers', boolean: 'true or false', datetime: 'date-times' } as const

/** A value of another type than the leaf's counts as missing, and this says so. */
function mismatch(leaf: Leaf, value: AttributeValue | null): string | undefined {
  if (value === null || !('attribute' in leaf || 'answer' in leaf)) return undefined
  const wanted = comparedType(leaf)
  return wanted === undefined || isOfType(value, wanted) ? undefined : `the condition compares ${typeNames[wanted]}`
}

function isOfType(value: AttributeValue, type: DataType): boolean {
  return type === 'datetime' ? typeof value === 'string' && readDateTime(value) !== undefined : typeof value === type
}

const isOrAre = (times: number) => (times === 1 ? 'is' : 'are')

const neededBy: ByKind<LeafKind, string, [Names]> = {
  attribute: neededWords,
  answer: neededWords,
  event: ({ at_least = 1, at_most }) => {
    if (at_most === 0) return 'never is needed'
    return at_most === undefined
      ? `at least ${timesWords(at_least)} ${isOrAre(at_least)} needed`
      : `at most ${timesWords(at_most)} ${isOrAre(at_most)} needed`
  },
  content: ({ is, within }) =>
    `${is.replace('_', ' ')}${within === undefined ? '' : ` ${lastWords(within)}`} is needed`,
  segment: ({ is }) => (is === 'in' ? 'being in it is needed' : 'not being in it is needed'),
  time: (leaf) => `that ${leafSentence(leaf)} is needed`,
  url: inThePage,
  element: inThePage,
  input: inThePage,
  viewport: inThePage,
  locale: inThePage,
}

function inThePage(leaf: Leaf): string {
  return `that ${leafSentence(leaf)} is needed`
}

const statements: ByKind<LeafKind, string, [Found, Names]> = {
  attribute: (leaf, { value }) => `${subjectOf(leaf)} is ${describedValue(leaf, value)}`,
  answer: (leaf, { value }, names) =>
    `the answer to ${leaf.question} of ${contentName(leaf.answer, names)} is ${describedValue(leaf, value)}`,
  event: (leaf, { value }) =>
    `${leaf.event} ${happened(value, leaf.at_least, leaf.at_most)}${eventWindow(leaf)}${whereWords(leaf)}`,
  content: ({ content }, { value }, names) =>
    `${contentName(content, names)} is ${value === null ? 'not seen' : value}`,
  segment: ({ segment }, { value }, names) =>
    `${value === false ? 'not in' : 'in'} the segment ${segmentName(segment, names)}${value === null ? ' or not' : ''}`,
  time: (_, { value }) => `it is ${value}`,
  url: decidedThere,
  element: decidedThere,
  input: decidedThere,
  viewport: decidedThere,
  locale: decidedThere,
}

function decidedThere(): string {
  return 'decided in the page'
}

/** A value of another type is told with its type: `the number 3`. */
function describedValue(leaf: Parameters<typeof comparedType>[0], value: AttributeValue | null): string {
  if (value === null) return 'missing'
  const wanted = comparedType(leaf)
  const isOther = wanted !== undefined && !isOfType(value, wanted)
  const shown = valueWords(cut(value) as AttributeValue)
  if (!isOther) return shown
  return typeof value === 'boolean' ? shown : `the ${typeof value === 'string' ? 'text' : 'number'} ${shown}`
}

/** The count stops where the leaf is decided. Without a count it is not known. */
function happened(value: AttributeValue | null, atLeast = 1, atMost?: number): string {
  if (value === null) return 'may have happened'
  const count = Number(value)
  if (count === 0) return 'never happened'
  const isMore = atMost === undefined ? count >= atLeast : count > atMost
  return `happened ${isMore ? `${timesWords(count)} or more often` : timesWords(count)}`
}
