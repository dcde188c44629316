import { type AnyDataType, isInternal } from '../../contract/attributes.ts'
import { type Assignment, type AttributeOperations, seenType } from '../attributes/operations.ts'

export type Scope = 'user' | 'event' | 'group' | 'group_membership'

const NONE: readonly string[] = []

/**
 * The definitions of one environment that this node knows. They are never deleted, so the cache stays valid. Every attribute
 * of every request is looked up here, so look-ups use nested maps and no composed keys.
 */
export class DefinitionCache {
  // Ten thousand environments have one each, so what most of them do not need is made by the first use.
  readonly #types: Partial<Record<Scope, Map<string, AnyDataType>>> = {}
  /** The names whose writer does not change any more by a write: of the back end, or chosen by a member. */
  #settled: Partial<Record<Scope, Set<string>>> | undefined
  /** The attributes that each event was seen with. */
  readonly #uses = new Map<string, Set<string>>()
  #internal: Set<string> | undefined
  #size = 0

  get size(): number {
    return this.#size
  }

  typeOf(scope: Scope, name: string): AnyDataType | undefined {
    return this.#types[scope]?.get(name)
  }

  /** Whether a write of the back end has nothing to claim. The attributes of events belong to nobody. */
  isSettled(scope: Scope, name: string): boolean {
    return scope === 'event' || this.#settled?.[scope]?.has(name) === true
  }

  settle({ scope, name }: { scope: Scope; name: string }): void {
    if (scope === 'event') return
    this.#settled ??= {}
    const names = this.#settled[scope] ?? new Set<string>()
    this.#settled[scope] = names.add(name)
  }

  usesOf(eventName: string): ReadonlySet<string> | undefined {
    return this.#uses.get(eventName)
  }

  /** The names among these that only the service itself writes. An environment without content has none. */
  internalNames(operations: AttributeOperations): readonly string[] {
    const internal = this.#internal
    if (!internal) return NONE
    const written = operations.filter(([name, { kind }]) => kind !== 'remove' && internal.has(name))
    return written.map(([name]) => name)
  }

  /** Whether the event and its attributes are all known. A value of another type is not a new definition. It is counted later. */
  knowsEvent(eventName: string, operations: AttributeOperations): boolean {
    const uses = this.#uses.get(eventName)
    if (!uses) return false
    const types = this.#types.event
    return operations.every(([name, { kind }]) => kind === 'remove' || (uses.has(name) && types?.has(name)))
  }

  learnAttribute({ scope, name }: { scope: Scope; name: string }, dataType: AnyDataType): void {
    const types = this.#types[scope] ?? new Map<string, AnyDataType>()
    this.#types[scope] = types.set(interned(name), interned(dataType))
    if (isInternal(dataType)) this.#internal = (this.#internal ?? new Set()).add(name)
    this.#size += 1
  }

  learnEvent(name: string): void {
    if (this.#uses.has(name)) return
    this.#uses.set(interned(name), new Set())
    this.#size += 1
  }

  learnUse(eventName: string, attributeName: string): void {
    this.learnEvent(eventName)
    this.#uses.get(eventName)?.add(interned(attributeName))
    this.#size += 1
  }
}

/** The one copy that the engine keeps of each name of a property. Many environments have the same names. */
function interned<Name extends string>(name: Name): Name {
  return Object.keys({ [name]: 0 })[0] as Name
}

/** Names have no control characters, so the parts of a key are separated unambiguously. */
export const definitionKey = (scope: Scope, name: string) => `${scope}\0${name}`
export const useKey = (eventName: string, attributeName: string) => `${eventName}\0${attributeName}`

export function splitKey<First extends string>(key: string): [First, string] {
  return key.split('\0') as [First, string]
}

/** Where names were seen. */
export interface SeenIn {
  /** The user or group that the attributes are of; of a membership and of an event, the user. */
  objectId: string | null
  /** When that user or group was created. One that is created later under the same id is another. */
  createdAt?: string
  /** The group of a membership or an event, and when that of a membership was created. */
  groupId?: string | null
  groupCreatedAt?: string
  /** Of the attributes of an event. Its user may be nobody that was ever written. */
  eventId?: string
  /** Undefined for imports and for changes by members. */
  requestId?: string | undefined
  /** What a page writes claims no name for the back end. */
  isFromPage?: boolean
}

/** A value whose type is not that of its definition, or whose definition was not known yet. */
export interface OddValue extends SeenIn {
  scope: Scope
  name: string
  operation: Assignment
}

/** What a batch of jobs has seen, and which of it is new. */
export class NewDefinitions {
  readonly #cache: DefinitionCache
  /** The types of new definitions: that of the first value seen. */
  readonly attributes = new Map<string, AnyDataType>()
  /** The attributes that the back end has written or removed, and that may still belong to anyone. */
  readonly claims = new Set<string>()
  readonly events = new Set<string>()
  readonly uses = new Set<string>()
  /**
   * How often each name was given a value, known or not, to be counted after the commit. A list of all operations, which is
   * gone through again then, took 1 to 2 µs of each request: they are not in the caches of the CPU any more.
   */
  readonly given: Partial<Record<Scope, Map<string, { times: number }>>> = {}
  readonly oddValues: OddValue[] = []
  readonly trackedEvents: { name: string; timeMs: number }[] = []

  constructor(known: DefinitionCache) {
    this.#cache = known
  }

  seen(scope: Scope, operations: AttributeOperations, seenIn: SeenIn): void {
    if (operations.length === 0) return
    const given = this.#givenOf(scope)
    for (const [name, operation] of operations) {
      const known = this.#cache.typeOf(scope, name)
      if (operation.kind !== 'remove') {
        const count = given.get(name)
        if (count) count.times += 1
        else given.set(name, { times: 1 })
        if (known !== seenType(operation)) this.oddValues.push({ scope, name, operation, ...seenIn })
      }
      const isNew = known === undefined && operation.kind !== 'remove'
      const isClaimed = !seenIn.isFromPage && (isNew || !this.#cache.isSettled(scope, name))
      if (!isNew && !isClaimed) continue
      const key = definitionKey(scope, name)
      if (isNew && !this.attributes.has(key)) this.attributes.set(key, seenType(operation))
      if (isClaimed) this.claims.add(key)
    }
  }

  #givenOf(scope: Scope): Map<string, { times: number }> {
    let given = this.given[scope]
    if (!given) {
      given = new Map()
      this.given[scope] = given
    }
    return given
  }

  seenOnEvent(eventName: string, timeMs: number, operations: AttributeOperations, seenIn: SeenIn): void {
    const uses = this.#cache.usesOf(eventName)
    this.trackedEvents.push({ name: eventName, timeMs })
    if (!uses) this.events.add(eventName)
    this.seen('event', operations, seenIn)
    for (const [name, { kind }] of operations)
      if (kind !== 'remove' && !uses?.has(name)) this.uses.add(useKey(eventName, name))
  }

  /** What an event of a request must not have. */
  internalNames(operations: AttributeOperations): readonly string[] {
    return this.#cache.internalNames(operations)
  }

  /** Whether the event and its attributes were all known before. */
  knowsEvent(eventName: string, operations: AttributeOperations): boolean {
    return this.#cache.knowsEvent(eventName, operations)
  }

  get none(): boolean {
    return this.attributes.size + this.claims.size + this.events.size + this.uses.size === 0
  }
}
