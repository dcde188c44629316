import type { AttributeValue, DataType } from '../../contract/attributes.ts'
import { type Assignment, seenType } from '../attributes/operations.ts'
import type { DefinitionCache, NewDefinitions, Scope } from './new-definitions.ts'

export interface Conflict {
  scope: Scope
  name: string
  dataType: DataType
  count: number
  example: AttributeValue
  objectId: string | null
  at: string
}

/** Longer examples are cut. */
const EXAMPLE_CHARACTERS = 200

/** The counts of one environment since the last flush. */
export class Tally {
  /** By name: how many, and when last. */
  readonly events = new Map<string, { count: number; at: string }>()
  /** By scope and name: when last. */
  readonly attributes: Partial<Record<Scope, Map<string, string>>> = {}
  readonly conflicts = new Map<string, Conflict>()

  get size(): number {
    const seen = Object.values(this.attributes).reduce((sum, names) => sum + names.size, 0)
    return this.events.size + this.conflicts.size + seen
  }

  add({ sightings, eventNames }: NewDefinitions, known: DefinitionCache, at: string): void {
    for (const name of eventNames) this.#addEvent(name, 1, at)
    for (const { scope, operations, objectId } of sightings) {
      for (const [name, operation] of operations) {
        if (operation.kind === 'remove') continue
        const dataType = seenType(operation)
        this.#seeAttribute(scope, name, at)
        const defined = known.typeOf(scope, name)
        if (defined !== undefined && defined !== dataType)
          this.#addConflict({ scope, name, dataType, count: 1, example: exampleOf(operation), objectId, at })
      }
    }
  }

  /** Adds counts that could not be stored. */
  merge(other: Tally): void {
    for (const [name, { count, at }] of other.events) this.#addEvent(name, count, at)
    for (const scope of Object.keys(other.attributes) as Scope[])
      for (const [name, at] of other.attributes[scope] ?? []) this.#seeAttribute(scope, name, at)
    for (const conflict of other.conflicts.values()) this.#addConflict(conflict)
  }

  /** Batches are counted in the order of their answers, which may differ from the order of their times. */
  #seeAttribute(scope: Scope, name: string, at: string): void {
    const names = this.attributes[scope] ?? new Map<string, string>()
    this.attributes[scope] = names.set(name, later(names.get(name), at))
  }

  #addEvent(name: string, count: number, at: string): void {
    const known = this.events.get(name)
    if (!known) this.events.set(name, { count, at })
    else {
      known.count += count
      known.at = later(known.at, at)
    }
  }

  #addConflict(conflict: Conflict): void {
    const key = `${conflict.scope}\0${conflict.name}\0${conflict.dataType}`
    const known = this.conflicts.get(key)
    const [count, at] = [(known?.count ?? 0) + conflict.count, later(known?.at, conflict.at)]
    this.conflicts.set(key, { ...conflict, count, at })
  }
}

/** Times in ISO 8601, all in UTC, compare as texts. */
function later(one: string | undefined, other: string): string {
  return one !== undefined && one > other ? one : other
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
