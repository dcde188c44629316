import type { DataType } from '../../contract/attributes.ts'
import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import { DefinitionCache, definitionKey, type NewDefinitions, type Scope, splitKey } from './new-definitions.ts'
import { findAttributeTypes, insertAttributeDefinitions, insertEventDefinitions, insertUses } from './queries.ts'
import type { DefinitionUsage } from './usage.ts'

/** Bounds the cache: a hostile caller can create any number of names. Names beyond it are read again when needed. */
const MOST_NAMES = 100_000
const MOST_ENVIRONMENTS = 20_000

export interface RegistryLimits {
  /** Of one environment. */
  mostNames: number
  mostEnvironments: number
}

/** Writes definitions when a name is first seen, and caches which exist, so that a known name costs nothing. */
export class DefinitionRegistry {
  /** Those that were used last are at the end. */
  readonly #caches = new Map<EnvironmentId, DefinitionCache>()
  readonly #usage: DefinitionUsage
  readonly #limits: RegistryLimits
  /** The environment that is last in `#caches`. */
  #latest: EnvironmentId | undefined

  constructor(usage: DefinitionUsage, limits: Partial<RegistryLimits> = {}) {
    this.#usage = usage
    this.#limits = { mostNames: MOST_NAMES, mostEnvironments: MOST_ENVIRONMENTS, ...limits }
  }

  /** How many environments are cached. */
  get size(): number {
    return this.#caches.size
  }

  of(environmentId: EnvironmentId): DefinitionCache {
    const known = this.#caches.get(environmentId)
    const isUsable = known !== undefined && known.size < this.#limits.mostNames
    if (isUsable && environmentId === this.#latest) return known
    const cache = isUsable ? known : new DefinitionCache()
    this.#latest = environmentId
    this.#caches.delete(environmentId)
    this.#caches.set(environmentId, cache)
    if (this.#caches.size > this.#limits.mostEnvironments)
      this.#caches.delete(this.#caches.keys().next().value as EnvironmentId)
    return cache
  }

  /** Called after the commit of a batch. */
  count(environmentId: EnvironmentId, newDefinitions: NewDefinitions, at: string): void {
    this.#usage.add(environmentId, newDefinitions, this.of(environmentId), at)
  }

  async record(
    transaction: OpenTransaction,
    environmentId: EnvironmentId,
    newDefinitions: NewDefinitions,
    at: string,
  ): Promise<void> {
    if (newDefinitions.none) return
    const cache = this.of(environmentId)
    const events = [...newDefinitions.events].sort()
    const uses = [...newDefinitions.uses].sort()
    if (events.length > 0) await insertEventDefinitions(transaction, environmentId, events, at)
    if (uses.length > 0) await insertUses(transaction, environmentId, uses)
    const types = await this.#recordAttributes(transaction, environmentId, newDefinitions, at)
    transaction.afterCommit(() => {
      for (const event of events) cache.learnEvent(event)
      for (const use of uses) cache.learnUse(...splitKey(use))
      for (const [key, dataType] of types) cache.learnAttribute(definitionOf(key), dataType)
    })
  }

  /** Returns the type that each definition has now: that of the first value ever seen. */
  async #recordAttributes(
    transaction: OpenTransaction,
    environmentId: EnvironmentId,
    newDefinitions: NewDefinitions,
    at: string,
  ): Promise<Map<string, DataType>> {
    const types = new Map<string, DataType>()
    if (newDefinitions.attributes.size === 0) return types
    const wanted = [...newDefinitions.attributes.keys()]
      .sort()
      .map((key) => ({ ...definitionOf(key), dataType: newDefinitions.attributes.get(key) as DataType }))
    await insertAttributeDefinitions(transaction, environmentId, wanted, at)
    for (const row of await findAttributeTypes(transaction, environmentId, wanted))
      types.set(definitionKey(row.scope, row.name), row.data_type)
    return types
  }
}

function definitionOf(key: string): { scope: Scope; name: string } {
  const [scope, name] = splitKey<Scope>(key)
  return { scope, name }
}
