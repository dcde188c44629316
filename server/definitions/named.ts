import type { EventUse, WriterRow } from './named-queries.ts'
import { definitionKey, type Scope, useKey } from './new-definitions.ts'
import type { Writer } from './queries.ts'

/** The definitions of the names that pages write in a batch, as they were read, and those that the batch creates. */
export class NamedDefinitions {
  readonly #writers = new Map<string, Writer>()
  readonly #events = new Set<string>()
  readonly #uses = new Set<string>()

  load({ scope, name, written_by }: WriterRow): void {
    this.#writers.set(definitionKey(scope, name), written_by)
  }

  loadEvent(name: string): void {
    this.#events.add(name)
  }

  loadUse({ eventName, attributeName }: EventUse): void {
    this.#uses.add(useKey(eventName, attributeName))
  }

  hasUse({ eventName, attributeName }: EventUse): boolean {
    return this.#uses.has(useKey(eventName, attributeName))
  }

  /** Undefined when there is no such name yet. */
  writerOf(scope: Scope, name: string): Writer | undefined {
    return this.#writers.get(definitionKey(scope, name))
  }

  hasEvent(name: string): boolean {
    return this.#events.has(name)
  }

  /** A page creates it, so later jobs of the batch find it. */
  create(scope: Scope, name: string): void {
    this.#writers.set(definitionKey(scope, name), 'anyone')
  }
}
