import { type AnyDataType, type AttributeValue, isInternal } from '../../contract/attributes.ts'
import { type Assignment, seenType } from '../attributes/operations.ts'
import { startOf, steps } from '../counters/steps.ts'
import type { DefinitionCache, NewDefinitions, Scope } from './new-definitions.ts'

export interface Conflict {
  scope: Scope
  name: string
  dataType: AnyDataType
  count: number
  example: AttributeValue
  objectId: string | null
  createdAt?: string | undefined
  groupId?: string | null | undefined
  groupCreatedAt?: string | undefined
  eventId?: string | undefined
  requestId: string | null
  at: string
}

/** Longer examples are cut. */
const EXAMPLE_CHARACTERS = 200

/** How often a name was seen, and when last. */
export interface Seen {
  count: number
  at: string
}

/** The counts of one environment since the last flush. */
export class DefinitionTally {
  readonly events = new Map<string, Seen>()
  /** How many events of each name there were on a day, by their own time. */
  readonly eventDays = new Map<number, Map<string, number>>()
  readonly attributes: Partial<Record<Scope, Map<string, Seen>>> = {}
  readonly conflicts = new Map<string, Conflict>()

  get size(): number {
    const seen = Object.values(this.attributes).reduce((sum, names) => sum + names.size, 0)
    const days = this.eventDays.values().reduce((sum, names) => sum + names.size, 0)
    return this.events.size + days + this.conflicts.size + seen
  }

  add({ given, oddValues, trackedEvents }: NewDefinitions, known: DefinitionCache, at: string): void {
    const now = trackedEvents.length > 0 ? Date.parse(at) : 0
    for (const { name, timeMs } of trackedEvents) {
      see(this.events, name, 1, at)
      if (isCounted(timeMs, now)) this.#addToDay(startOf('day', timeMs), name, 1)
    }
    for (const scope of Object.keys(given) as Scope[]) {
      const names = this.#attributesOf(scope)
      for (const [name, { times }] of given[scope] ?? []) see(names, name, times, at)
    }
    for (const { operation, isFromPage: _, requestId = null, ...seen } of oddValues) {
      const [dataType, defined] = [seenType(operation), known.typeOf(seen.scope, seen.name)]
      if (defined !== undefined && defined !== dataType && !isInternal(defined) && !isInternal(dataType))
        this.#addConflict({ ...seen, dataType, requestId, count: 1, example: exampleOf(operation), at })
    }
  }

  /** Adds counts that could not be stored. */
  merge(other: DefinitionTally): void {
    for (const [name, { count, at }] of other.events) see(this.events, name, count, at)
    for (const [day, names] of other.eventDays) for (const [name, count] of names) this.#addToDay(day, name, count)
    for (const scope of Object.keys(other.attributes) as Scope[])
      for (const [name, { count, at }] of other.attributes[scope] ?? []) see(this.#attributesOf(scope), name, count, at)
    for (const conflict of other.conflicts.values()) this.#addConflict(conflict)
  }

  #addToDay(day: number, name: string, count: number): void {
    let names = this.eventDays.get(day)
    if (!names) {
      names = new Map()
      this.eventDays.set(day, names)
    }
    names.set(name, (names.get(name) ?? 0) + count)
  }

  #attributesOf(scope: Scope): Map<string, Seen> {
    let names = this.attributes[scope]
    if (!names) {
      names = new Map()
      this.attributes[scope] = names
    }
    return names
  }

  #addConflict(conflict: Conflict): void {
    const key = `${conflict.scope}\0${conflict.name}\0${conflict.dataType}`
    const known = this.conflicts.get(key)
    const [count, at] = [(known?.count ?? 0) + conflict.count, later(known?.at, conflict.at)]
    this.conflicts.set(key, { ...conflict, count, at })
  }
}

/** Batches are counted in the order of their answers, which may differ from the order of their times. */
function see(names: Map<string, Seen>, name: string, count: number, at: string): void {
  const known = names.get(name)
  if (!known) names.set(name, { count, at })
  else {
    known.count += count
    known.at = later(known.at, at)
  }
}

/** Times in ISO 8601, all in UTC, compare as texts. */
function later(one: string | undefined, other: string): string {
  return one !== undefined && one > other ? one : other
}

/** An event of another time is in no figure: the counts of its day would be deleted, or not be shown for more than a year. */
function isCounted(timeMs: number, now: number): boolean {
  return Math.abs(timeMs - now) < steps.day.keptDays * steps.day.seconds * 1000
}

function exampleOf(operation: Assignment): AttributeValue {
  switch (operation.kind) {
    case 'set':
    case 'set_once':
      return shortened(operation.value)
    case 'add':
      return operation.amount
    default:
      return operation satisfies never
  }
}

function shortened(value: AttributeValue): AttributeValue {
  return typeof value === 'string' && value.length > EXAMPLE_CHARACTERS
    ? `${value.slice(0, EXAMPLE_CHARACTERS).toWellFormed()}…`
    : value
}
