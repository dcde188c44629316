import { readDateTime } from '../datetime.ts'
import { limits } from '../limits.ts'
import { comparisonProblems } from './comparison.ts'
import type { Condition } from './condition.ts'
import type { Field, Problem } from './fields.ts'
import { browserKinds, kindOf, type LeafKind, leafKeys } from './kinds.ts'
import { leafFields, viewportFields, whereFields } from './leaf-rules.ts'

/** Where a condition stands, which decides what leaves it may have. `group` is a segment of groups. */
export type Place = 'who' | 'group' | 'page'

/** The problems of a condition, at most 100, with paths that begin with the given one. */
export function conditionProblems(condition: unknown, place: Place, path: string): Problem[] {
  const walk = new Walk(place)
  walk.visit(condition, path, 1)
  if (walk.leaves > limits.conditionLeaves)
    walk.add(path, `has ${walk.leaves} leaves; at most ${limits.conditionLeaves} are allowed. Put parts into segments`)
  return walk.problems
}

export function isCondition(condition: unknown, place: Place): condition is Condition {
  return conditionProblems(condition, place, '').length === 0
}

/** More are not of use to anybody, and a hostile condition would have 100,000. */
const MOST_PROBLEMS = 100

const groupKeys = ['all', 'any', 'not'] as const

class Walk {
  readonly problems: Problem[] = []
  readonly #place: Place
  leaves = 0

  constructor(place: Place) {
    this.#place = place
  }

  add(path: string, message: string): void {
    if (this.problems.length < MOST_PROBLEMS) this.problems.push({ path, message })
  }

  visit(part: unknown, path: string, level: number): void {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) {
      this.add(path, 'must be an object: all, any, not, or a leaf such as { "event": "task_completed" }')
      return
    }
    if (level > limits.conditionLevels) {
      this.add(path, `is below level ${limits.conditionLevels}; put it into a segment`)
      return
    }
    const group = groupKeys.find((key) => Object.hasOwn(part, key))
    if (group) this.#group(part as Record<string, unknown>, group, path, level)
    else this.#leaf(part as Record<string, unknown>, path)
  }

  #group(part: Record<string, unknown>, key: (typeof groupKeys)[number], path: string, level: number): void {
    const inner = `${path}.${key}`
    for (const other of Object.keys(part))
      if (other !== key)
        this.add(`${path}.${other.slice(0, 100)}`, `does not go with ${key}; put it into a leaf of its own`)
    const parts = part[key]
    if (key === 'not') {
      this.visit(parts, inner, level + 1)
      return
    }
    if (!Array.isArray(parts)) {
      this.add(inner, 'must be a list of conditions')
      return
    }
    if (parts.length === 0) {
      this.add(inner, 'must not be empty')
      return
    }
    // Every part has a leaf: a longer list has too many, and is not looked through.
    if (parts.length > limits.conditionLeaves) {
      this.add(inner, `has ${parts.length} parts; at most ${limits.conditionLeaves} are allowed`)
      return
    }
    for (const [index, each] of parts.entries()) this.visit(each, `${inner}[${index}]`, level + 1)
  }

  #leaf(leaf: Record<string, unknown>, path: string): void {
    this.leaves += 1
    if (this.leaves > limits.conditionLeaves) return
    const kind = kindOf(leaf)
    const below = (key: string) => `${path}.${key}`
    if (Object.keys(leaf).length === 0) {
      this.add(path, 'is empty; it needs all, any, not, or a leaf such as { "event": "task_completed" }')
      return
    }
    if (kind === 'time' && !Object.keys(leaf).some((key) => Object.hasOwn(leafFields.time, key))) {
      this.#unnamed(Object.keys(leaf), below)
      return
    }
    const misplaced = this.#misplaced(kind, leaf)
    if (misplaced) this.add(below(misplaced.key), misplaced.message)
    this.#fields(leaf, leafFields[kind], below, kind === 'time' ? leafKeys : Object.keys(leafFields[kind]))
    if (kind === 'attribute' || kind === 'answer' || kind === 'input')
      this.problems.push(...comparisonProblems(leaf, below))
    if (kind === 'event') this.#event(leaf, below)
    if (kind === 'content' && leaf.is === 'active' && leaf.within !== undefined)
      this.add(below('within'), 'has no meaning with active; leave it out')
    if (kind === 'time') this.#time(leaf, path)
    if (kind === 'viewport') this.#viewport(leaf.viewport, below('viewport'))
  }

  /** The key that names the kind is misspelt or missing. Keys that some kind has, such as `is`, are not the mistake then. */
  #unnamed(keys: readonly string[], below: (key: string) => string): void {
    const strange = keys.filter((key) => !Object.values(leafFields).some((fields) => Object.hasOwn(fields, key)))
    for (const key of strange.length > 0 ? strange : keys)
      this.add(below(key.slice(0, 100)), `is not known here; use ${leafKeys.join(', ')}`)
  }

  #misplaced(kind: LeafKind, leaf: Record<string, unknown>): { key: string; message: string } | undefined {
    const isBrowser = (browserKinds as readonly string[]).includes(kind)
    if (this.#place === 'page') return undefined
    if (isBrowser) return { key: kind, message: 'is decided in the page; use it in where, advance or visible_when' }
    if (this.#place === 'who') return undefined
    if (kind === 'attribute' && leaf.of !== 'group')
      return { key: 'of', message: 'must be "group" in a segment of groups' }
    if (kind === 'event' && leaf.by !== 'group') return { key: 'by', message: 'must be "group" in a segment of groups' }
    if (kind === 'event' && leaf.since === 'created_at')
      return { key: 'since', message: 'must be a date-time in a segment of groups: created_at is that of a user' }
    if (kind === 'content' || kind === 'answer')
      return { key: kind, message: 'is about a user; a segment of groups has attributes and events of groups' }
    return undefined
  }

  #fields(
    leaf: Record<string, unknown>,
    fields: Readonly<Record<string, Field>>,
    below: (key: string) => string,
    known: readonly string[],
  ): void {
    for (const key of Object.keys(leaf))
      if (!Object.hasOwn(fields, key)) this.add(below(key.slice(0, 100)), `is not known here; use ${known.join(', ')}`)
    for (const [key, { problem, isOptional }] of Object.entries(fields)) {
      const message = leaf[key] === undefined ? (isOptional ? undefined : 'is required') : problem(leaf[key])
      if (message !== undefined) this.add(below(key), message)
    }
  }

  #event(leaf: Record<string, unknown>, below: (key: string) => string): void {
    if (leaf.at_least !== undefined && leaf.at_most !== undefined)
      this.add(below('at_most'), 'does not go with at_least; use two leaves in all')
    if (leaf.where === undefined) return
    const { where } = leaf
    if (!Array.isArray(where) || where.length === 0 || where.length > limits.eventLeafAttributes) {
      this.add(below('where'), `must be a list of 1 to ${limits.eventLeafAttributes} attribute leaves`)
      return
    }
    for (const [index, each] of where.entries()) {
      const path = `${below('where')}[${index}]`
      if (!this.#nested(each, whereFields, path)) continue
      this.problems.push(...comparisonProblems(each as Record<string, unknown>, (key) => `${path}.${key}`))
    }
  }

  #time(leaf: Record<string, unknown>, path: string): void {
    const isRange = leaf.after !== undefined || leaf.before !== undefined
    const daily = (['weekdays', 'from', 'to', 'zone'] as const).filter((key) => leaf[key] !== undefined)
    const [first] = daily
    if (isRange && first) this.add(`${path}.${first}`, 'does not go with after and before; use two leaves in all')
    if (isRange && instantOf(leaf.before) <= instantOf(leaf.after))
      this.add(`${path}.before`, 'must be later than after; otherwise it never holds')
    if (isRange || !first) return
    if (leaf.zone === undefined) this.add(`${path}.zone`, 'is required, such as Europe/Berlin')
    if (daily.every((key) => key === 'zone')) this.add(`${path}.weekdays`, 'is required, or from and to')
    if ((leaf.from === undefined) !== (leaf.to === undefined))
      this.add(`${path}.${leaf.from === undefined ? 'from' : 'to'}`, 'is required: from and to go together')
    else if (leaf.from !== undefined && leaf.from === leaf.to)
      this.add(`${path}.to`, 'must not be the same as from; for the whole day leave both out')
  }

  #viewport(viewport: unknown, path: string): void {
    if (!this.#nested(viewport, viewportFields, path)) return
    const { at_least, at_most } = viewport as Record<string, number>
    if (Number(at_most) < Number(at_least))
      this.add(`${path}.at_most`, 'must not be less than at_least; otherwise it never holds')
  }

  #nested(value: unknown, fields: Readonly<Record<string, Field>>, path: string): boolean {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length === 0) {
      this.add(path, `must be an object with ${Object.keys(fields).join(', ')}`)
      return false
    }
    this.#fields(value as Record<string, unknown>, fields, (key) => `${path}.${key}`, Object.keys(fields))
    return true
  }
}

/** NaN when there is none, which is neither before nor after another. */
function instantOf(value: unknown): number {
  return (typeof value === 'string' ? readDateTime(value)?.milliseconds : undefined) ?? Number.NaN
}
