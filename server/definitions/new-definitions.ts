import type { DataType } from '../../contract/attributes.ts'
import { type AttributeOperations, seenType } from '../attributes/operations.ts'

export type Scope = 'user' | 'event' | 'group' | 'group_membership'

/**
 * The definitions of one environment that this node knows. They are never deleted, so the cache stays valid. Every attribute
 * of every request is looked up here, so look-ups use nested maps and no composed keys.
 */
export class DefinitionCache {
  readonly #types: Partial<Record<Scope, Map<string, DataType>>> = {}
  /** The attributes that each event was seen with. */
  readonly #uses = new Map<string, Set<string>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  typeOf(scope: Scope, name: string): DataType | undefined {
    return this.#types[scope]?.get(name)
  }

  usesOf(eventName: string): ReadonlySet<string> | undefined {
    return this.#uses.get(eventName)
  }

  /** Whether the event and its attributes are all known. A value of another type is not a new definition. It is counted later. */
  knowsEvent(eventName: string, operations: AttributeOperations): boolean {
    const uses = this.#uses.get(eventName)
    if (!uses) return false
    const types = this.#types.event
    return operations.every(([name, { kind }]) => kind === 'remove' || (uses.has(name) && types?.has(name)))
  }

  learnAttribute({ scope, name }: { scope: Scope; name: string }, dataType: DataType): void {
    const types = this.#types[scope] ?? new Map<string, DataType>()
    this.#types[scope] = types.set(name, dataType)
    this.#size += 1
  }

  learnEvent(name: string): void {
    if (this.#uses.has(name)) return
    this.#uses.set(name, new Set())
    this.#size += 1
  }

  learnUse(eventName: string, attributeName: string): void {
    this.learnEvent(eventName)
    this.#uses.get(eventName)?.add(attributeName)
    this.#size += 1
  }
}

/** Names have no control characters, so the parts of a key are separated unambiguously. */
export const definitionKey = (scope: Scope, name: string) => `${scope}\0${name}`
const useKey = (eventName: string, attributeName: string) => `${eventName}\0${attributeName}`

export function splitKey<First extends string>(key: string): [First, string] {
  return key.split('\0') as [First, string]
}

export interface Sighting {
  scope: Scope
  operations: AttributeOperations
  /** The user or group that the attributes are of; of a membership and of an event, the user. */
  objectId: string | null
  /** Undefined for imports and for changes by members. */
  requestId: string | undefined
}

/** What a batch of jobs has seen, and which of it is new. */
export class NewDefinitions {
  readonly #cache: DefinitionCache
  /** The types of new definitions: that of the first value seen. */
  readonly attributes = new Map<string, DataType>()
  readonly events = new Set<string>()
  readonly uses = new Set<string>()
  /** Everything that was seen, known or not, to be counted after the commit. */
  readonly sightings: Sighting[] = []
  readonly eventNames: string[] = []

  constructor(known: DefinitionCache) {
    this.#cache = known
  }

  seen(scope: Scope, operations: AttributeOperations, objectId: string | null, requestId?: string): void {
    if (operations.length === 0) return
    this.sightings.push({ scope, operations, objectId, requestId })
    for (const [name, operation] of operations) {
      if (operation.kind === 'remove' || this.#cache.typeOf(scope, name) !== undefined) continue
      const key = definitionKey(scope, name)
      if (!this.attributes.has(key)) this.attributes.set(key, seenType(operation))
    }
  }

  seenOnEvent(eventName: string, operations: AttributeOperations, userId: string | null, requestId?: string): void {
    const uses = this.#cache.usesOf(eventName)
    this.eventNames.push(eventName)
    if (!uses) this.events.add(eventName)
    this.seen('event', operations, userId, requestId)
    for (const [name, { kind }] of operations)
      if (kind !== 'remove' && !uses?.has(name)) this.uses.add(useKey(eventName, name))
  }

  get none(): boolean {
    return this.attributes.size + this.events.size + this.uses.size === 0
  }
}
