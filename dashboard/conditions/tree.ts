import type { Condition } from '../../contract/conditions/condition.ts'
import { conditionProblems, type Place } from '../../contract/conditions/problems.ts'
import type { DraftLeaf } from './draft-leaf.ts'
import { conditionOfRow, exactRowOf } from './row-condition.ts'

/** A condition as it is edited: rows in groups, each with an id that stays while it changes. Rows may be unfinished. */
export type Part = Row | Box | Raw

export type Word = 'all' | 'any' | 'none'

export interface Box {
  readonly id: number
  readonly word: Word
  readonly parts: readonly Part[]
}

/** `isNegated`: the page is *not* this one. Other leaves say it with their operator, or stand in None of these. */
export interface Row {
  readonly id: number
  readonly leaf: DraftLeaf
  readonly isNegated?: boolean
}

/** What is too deep for rows: edited as JSON. */
export interface Raw {
  readonly id: number
  readonly json: Condition
}

/** Groups within groups within the first. */
export const MOST_LEVELS = 3

let last = 0
const newId = (): number => {
  last += 1
  return last
}

export const isBox = (part: Part): part is Box => 'parts' in part
export const isRow = (part: Part): part is Row => 'leaf' in part

export const newRow = (leaf: DraftLeaf = {}): Row => ({ id: newId(), leaf })
export const newBox = (word: Word = 'all', parts: readonly Part[] = []): Box => ({ id: newId(), word, parts })

/** The tree of a condition. Its root is always a group; a condition that is not there is an empty one. */
export function treeOf(condition: Condition | undefined): Box {
  if (condition === undefined) return newBox()
  const part = partOf(condition, 1)
  return isBox(part) ? part : newBox('all', [part])
}

function partOf(condition: Condition, level: number): Part {
  const exact = exactRowOf(condition)
  if (exact) return newRow(exact)
  const word = wordOf(condition)
  if (word === undefined) return { ...newRow(leafOf(condition)), ...('not' in condition && { isNegated: true }) }
  if (level > MOST_LEVELS) return { id: newId(), json: condition }
  return newBox(
    word,
    membersOf(condition).map((each) => partOf(each, level + 1)),
  )
}

function wordOf(condition: Condition): Word | undefined {
  if ('all' in condition) return 'all'
  if ('any' in condition) return 'any'
  return 'not' in condition && !('url' in condition.not) ? 'none' : undefined
}

const leafOf = (condition: Condition) => ('not' in condition ? condition.not : condition) as DraftLeaf

function membersOf(condition: Condition): Condition[] {
  if ('all' in condition) return condition.all
  if ('any' in condition) return condition.any
  if (!('not' in condition)) return []
  return 'any' in condition.not ? condition.not.any : [condition.not]
}

/** What a tree says: the condition of its finished rows, and where each of them stands in it. */
export interface Reading {
  /** Undefined: no row is finished. */
  condition: Condition | undefined
  /** The paths of the rows, as counts and receipts name them. */
  paths: ReadonlyMap<number, string>
  unfinished: readonly number[]
}

export function readTree(tree: Box, place: Place): Reading {
  const paths = new Map<number, string>()
  const unfinished: number[] = []
  const read = (part: Part, path: string): Condition | undefined => {
    if (isBox(part)) return readBox(part, path)
    if (!isRow(part)) return part.json
    if (!isFinished(part.leaf, place)) {
      unfinished.push(part.id)
      return undefined
    }
    paths.set(part.id, part.isNegated ? below(path, 'not') : path)
    const condition = conditionOfRow(part.leaf)
    return part.isNegated ? { not: condition } : condition
  }
  const readBox = ({ word, parts }: Box, path: string): Condition | undefined => {
    const kept = parts.filter((part) => hasFinished(part, place) || note(part))
    const isSingle = word === 'none' && kept.length === 1
    const inside = word === 'none' ? below(path, isSingle ? 'not' : 'not.any') : below(path, word)
    const read_ = kept.flatMap((part, index) => read(part, isSingle ? inside : `${inside}[${index}]`) ?? [])
    if (read_.length === 0) return undefined
    if (word !== 'none') return word === 'all' ? { all: read_ } : { any: read_ }
    return { not: isSingle ? (read_[0] as Condition) : { any: read_ } }
  }
  const note = (part: Part): false => {
    for (const row of rowsOf(part)) if (!isFinished(row.leaf, place)) unfinished.push(row.id)
    return false
  }
  const condition = read(tree, '')
  return { condition, paths, unfinished }
}

const below = (path: string, key: string) => (path === '' ? key : `${path}.${key}`)

export function rowsOf(part: Part): Row[] {
  if (isBox(part)) return part.parts.flatMap(rowsOf)
  return isRow(part) ? [part] : []
}

function hasFinished(part: Part, place: Place): boolean {
  if (isBox(part)) return part.parts.some((each) => hasFinished(each, place))
  return isRow(part) ? isFinished(part.leaf, place) : true
}

export function isFinished(leaf: DraftLeaf, place: Place): boolean {
  return Object.keys(leaf).length > 0 && conditionProblems(conditionOfRow(leaf), place, '').length === 0
}
