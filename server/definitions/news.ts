import type { DataType } from '../../contract/attributes.ts'
import { type Operations, seenTypes } from '../attributes/operations.ts'

export type Scope = 'user' | 'event' | 'group' | 'group_membership'

/** The definitions of one environment that this node knows of. They are never deleted, so what is known stays true. */
export class Known {
  readonly attributes = new Map<string, DataType>()
  readonly events = new Set<string>()
  readonly uses = new Set<string>()
}

/** Names have no control characters, so the parts of a key cannot run into each other. */
export const definitionKey = (scope: Scope, name: string) => `${scope}\0${name}`
export const useKey = (eventName: string, attributeName: string) => `${eventName}\0${attributeName}`

/** What a batch of jobs has seen that is not known yet, or is of another type than is known. */
export class News {
  readonly #known: Known
  /** How often each type was seen, by definition, first seen first. */
  readonly attributes = new Map<string, Map<DataType, number>>()
  readonly events = new Set<string>()
  readonly uses = new Set<string>()

  constructor(known: Known) {
    this.#known = known
  }

  seen(scope: Scope, operations: Operations): void {
    for (const [name, dataType] of seenTypes(operations)) {
      const key = definitionKey(scope, name)
      if (this.#known.attributes.get(key) === dataType) continue
      const types = this.attributes.get(key) ?? new Map<DataType, number>()
      this.attributes.set(key, types.set(dataType, (types.get(dataType) ?? 0) + 1))
    }
  }

  seenOnEvent(eventName: string, operations: Operations): void {
    if (!this.#known.events.has(eventName)) this.events.add(eventName)
    this.seen('event', operations)
    for (const [name] of seenTypes(operations)) {
      const use = useKey(eventName, name)
      if (!this.#known.uses.has(use)) this.uses.add(use)
    }
  }

  get none(): boolean {
    return this.attributes.size + this.events.size + this.uses.size === 0
  }
}
