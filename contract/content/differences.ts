import type { Condition } from '../conditions/condition.ts'
import { isCondition } from '../conditions/problems.ts'
import { contentName, type Names, sentenceOf } from '../conditions/sentence.ts'
import {
  type Fields,
  isFields,
  itemName,
  itemPlace,
  itemValue,
  type Pair,
  placeOf,
  shown,
  shownPair,
} from './difference-words.ts'
import type { ContentDocument } from './document.ts'

/** What changes from one document to another, in words: for publishing, the dashboard and `usher content diff`. */
export interface Difference {
  sign: '+' | '~' | '-'
  /** `step thanks`, `who`, `when`. */
  place: string
  words: string
  /** What it was and what it is, which `words` has with an arrow between them: either may have an arrow of its own. */
  pair: Pair | null
}

/** `before` is undefined for content that is new. */
export function differencesOf(
  before: ContentDocument | undefined,
  after: ContentDocument,
  names: Names = {},
): Difference[] {
  if (!before) return [{ sign: '+', place: after.type, words: `${contentName(after.key, names)} is new`, pair: null }]
  return [
    ...fieldDifferences(before, after),
    ...conditionDifference('who', before.who, after.who, 'everybody'),
    ...conditionDifference('where', before.where, after.where, 'everywhere'),
    ...mapDifferences('when', before.when, after.when),
    ...listDifferences('step', partsOf(before), partsOf(after)),
  ].map(({ sign, place, told }) => ({
    sign,
    place: after.type === 'checklist' ? place.replace(/^step /, 'task ') : place,
    ...inWords(typeof told === 'function' ? told(names) : told),
  }))
}

type Told = string | Pair

/** Conditions are put into words at the end, by the names of what they refer to. */
type Found = Pick<Difference, 'sign' | 'place'> & { told: Told | ((names: Names) => Told) }

const inWords = (told: Told): Pick<Difference, 'words' | 'pair'> =>
  typeof told === 'string' ? { words: told, pair: null } : { words: `${told.before} → ${told.after}`, pair: told }

export function differenceText({ sign, place, words }: Difference): string {
  return `${sign} ${place}${words === '' ? '' : `: ${words}`}`
}

export const differenceTexts = (before: ContentDocument | undefined, after: ContentDocument) =>
  differencesOf(before, after).map(differenceText)

const apart = new Set(['$schema', 'key', 'type', 'who', 'where', 'when', 'steps', 'tasks'])

function fieldDifferences(before: ContentDocument, after: ContentDocument): Found[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !apart.has(name))
  return names.flatMap((name) =>
    fieldDifference('', name, (before as unknown as Fields)[name], (after as unknown as Fields)[name]),
  )
}

const conditions = new Set(['wait_until', 'condition', 'complete_when', 'visible_when'])

/** The field `name` of a place. */
function fieldDifference(place: string, name: string, before: unknown, after: unknown): Found[] {
  if (isEqual(before, after)) return []
  if (conditions.has(name))
    return conditionDifference(
      placeOf(place, name),
      before as Condition | undefined,
      after as Condition | undefined,
      'nothing',
    )
  if (Array.isArray(before) && Array.isArray(after)) return itemDifferences(place, name, before, after)
  return valueDifference(placeOf(place, name), before, after)
}

function valueDifference(place: string, before: unknown, after: unknown): Found[] {
  if (isEqual(before, after)) return []
  if (isFields(before) && isFields(after)) return mapDifferences(place, before, after)
  if (before === undefined) return [{ sign: '+', place, told: shown(after) }]
  if (after === undefined) return [{ sign: '-', place, told: shown(before) }]
  return [{ sign: '~', place, told: shownPair(before, after) }]
}

/** Items have no key: those that are equal at both ends stay, and the others are compared in their order. */
function itemDifferences(place: string, field: string, before: readonly unknown[], after: readonly unknown[]): Found[] {
  const most = Math.min(before.length, after.length)
  let first = 0
  while (first < most && isEqual(before[first], after[first])) first++
  let last = 0
  while (last < most - first && isEqual(before.at(-1 - last), after.at(-1 - last))) last++
  const [old, now] = [before.slice(first, before.length - last), after.slice(first, after.length - last)]
  return Array.from({ length: Math.max(old.length, now.length) }, (_, index) => {
    const [was, is] = [old[index], now[index]]
    const at = itemPlace(place, field, was ?? is)
    const isSame = was === undefined || is === undefined || itemName(was) === itemName(is) || isRenamed(was, is)
    if (!isSame) return [{ sign: '~' as const, place: placeOf(place, field), told: shownPair(was, is) }]
    return valueDifference(at, itemValue(was), itemValue(is))
  }).flat()
}

/** A button with another label is the same button. */
const isRenamed = (before: unknown, after: unknown) =>
  isFields(before) && isFields(after) && 'label' in before && 'label' in after && !('question' in before)

function conditionDifference(
  place: string,
  before: Condition | undefined,
  after: Condition | undefined,
  none: string,
): Found[] {
  if (isEqual(before, after)) return []
  const words = (condition: Condition | undefined, names: Names) =>
    condition ? conditionWords(condition, names) : none
  return [{ sign: '~', place, told: (names) => ({ before: words(before, names), after: words(after, names) }) }]
}

/** A draft may have a condition that is not finished. */
export function conditionWords(condition: Condition, names: Names = {}): string {
  return isCondition(condition, 'page') ? sentenceOf(condition, names) : 'a condition that is not finished'
}

function mapDifferences(place: string, before: object = {}, after: object = {}): Found[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap((name) => fieldDifference(place, name, (before as Fields)[name], (after as Fields)[name]))
}

interface Keyed {
  key: string
}

function partsOf(document: ContentDocument): readonly Keyed[] {
  return document.type === 'flow' ? document.steps : document.type === 'checklist' ? document.tasks : []
}

function listDifferences(kind: string, before: readonly Keyed[], after: readonly Keyed[]): Found[] {
  const old = new Map(before.map((one) => [one.key, one]))
  const keys = new Set(after.map(({ key }) => key))
  const kept = before.filter(({ key }) => keys.has(key)).map(({ key }) => key)
  const order = after.filter(({ key }) => old.has(key)).map(({ key }) => key)
  return [
    ...before.filter(({ key }) => !keys.has(key)).map(({ key }) => difference('-', `${kind} ${key}`)),
    ...after.flatMap((part) => {
      const earlier = old.get(part.key)
      if (!earlier) return [difference('+', `${kind} ${part.key}`)]
      return mapDifferences(`${kind} ${part.key}`, earlier, part)
    }),
    ...(isEqual(kept, order) ? [] : [{ ...difference('~', `${kind}s`), told: `the order is ${order.join(', ')}` }]),
  ]
}

const difference = (sign: Difference['sign'], place: string): Found => ({ sign, place, told: '' })

/** Whatever the order of the fields. */
export function isEqual(first: unknown, second: unknown): boolean {
  return first === second || canonical(first) === canonical(second)
}

function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )
}
