import { isInternal } from '../../contract/attributes.ts'
import { ChangedElsewhere } from '../batches/work.ts'
import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import { sortedUnique } from '../database/lock-order.ts'
import { DefinitionCache, definitionKey, type NewDefinitions, type Scope, splitKey } from './new-definitions.ts'
import {
  type AttributeRow,
  claimAttributes,
  findAttributes,
  insertAttributeDefinitions,
  insertEventDefinitions,
  insertUses,
  type Writer,
} from './queries.ts'
import type { DefinitionUsage } from './usage.ts'

/** Bounds the cache: a hostile caller can create any number of names. Names beyond it are read again when needed. */
const MOST_NAMES = 100_000
const MOST_ENVIRONMENTS = 20_000
/** Long ones take 100 MB. */
const MOST_NAMES_IN_ALL = 400_000

export interface RegistryLimits {
  /** Of one environment. */
  mostNames: number
  mostEnvironments: number
  mostNamesInAll: number
}

/** Writes definitions when a name is first seen, and caches which exist, so that a known name costs nothing. */
export class DefinitionRegistry {
  /** Those that were used last are at the end. */
  readonly #caches = new Map<EnvironmentId, DefinitionCache>()
  readonly #usage: DefinitionUsage
  readonly #limits: RegistryLimits
  /** The environment that is last in `#caches`. */
  #latest: EnvironmentId | undefined
  /** In all caches. */
  #names = 0

  constructor(usage: DefinitionUsage, limits: Partial<RegistryLimits> = {}) {
    this.#usage = usage
    this.#limits = {
      ...{ mostNames: MOST_NAMES, mostEnvironments: MOST_ENVIRONMENTS, mostNamesInAll: MOST_NAMES_IN_ALL },
      ...limits,
    }
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
    this.#forget(environmentId)
    this.#caches.set(environmentId, cache)
    this.#names += cache.size
    this.#forgetLeastUsed()
    return cache
  }

  #forgetLeastUsed(): void {
    const { mostEnvironments, mostNamesInAll } = this.#limits
    for (const oldest of this.#caches.keys()) {
      const fits = this.#caches.size <= mostEnvironments && this.#names <= mostNamesInAll
      if (fits || this.#caches.size === 1) break
      this.#forget(oldest)
    }
  }

  #forget(environmentId: EnvironmentId): void {
    this.#names -= this.#caches.get(environmentId)?.size ?? 0
    this.#caches.delete(environmentId)
  }

  /** What a forgotten cache learns, the next one of its environment learns again. */
  #learn(environmentId: EnvironmentId, cache: DefinitionCache, learn: () => void): void {
    const before = cache.size
    learn()
    if (this.#caches.get(environmentId) !== cache) return
    this.#names += cache.size - before
    this.#forgetLeastUsed()
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
    const recorded = await recordAttributes(transaction, environmentId, newDefinitions, at)
    this.#refuseInternal(environmentId, cache, newDefinitions, recorded)
    const learn = () => {
      for (const event of events) cache.learnEvent(event)
      for (const use of uses) cache.learnUse(...splitKey(use))
      for (const row of recorded) {
        cache.learnAttribute(row, row.data_type)
        if (row.isSettled) cache.settle(row)
      }
    }
    transaction.afterCommit(() => this.#learn(environmentId, cache, learn))
  }

  /** A name of the service itself that this node did not know: the next try of the batch refuses it (`trackEvent`). */
  #refuseInternal(
    environmentId: EnvironmentId,
    cache: DefinitionCache,
    { attributes }: NewDefinitions,
    recorded: readonly AttributeRow[],
  ): void {
    const internal = recorded.filter((row) => {
      const seen = attributes.get(definitionKey(row.scope, row.name))
      return isInternal(row.data_type) && seen !== undefined && !isInternal(seen)
    })
    this.#learn(environmentId, cache, () => {
      for (const row of internal) cache.learnAttribute(row, row.data_type)
    })
    if (internal.length > 0) throw new ChangedElsewhere()
  }
}

interface RecordedAttribute extends AttributeRow {
  /** No later write of the back end changes who writes it. */
  isSettled: boolean
}

/** Returns each definition as it is now: its type is that of the first value ever seen. */
async function recordAttributes(
  transaction: OpenTransaction,
  environmentId: EnvironmentId,
  { attributes, claims }: NewDefinitions,
  at: string,
): Promise<RecordedAttribute[]> {
  if (attributes.size + claims.size === 0) return []
  const created = [...attributes].sort(byKey).map(([key, dataType]) => {
    const writtenBy: Writer = claims.has(key) ? 'back_end' : 'anyone'
    return { ...namedBy(key), dataType, writtenBy }
  })
  if (created.length > 0) await insertAttributeDefinitions(transaction, environmentId, created, at)
  const wanted = sortedUnique([...attributes.keys(), ...claims]).map(namedBy)
  const rows = await findAttributes(transaction, environmentId, wanted)
  const isClaimed = ({ scope, name }: AttributeRow) => claims.has(definitionKey(scope, name))
  const open = rows.filter((row) => row.written_by === 'anyone' && !row.written_by_chosen)
  const claimed = open.filter((row) => row.scope !== 'event' && isClaimed(row))
  if (claimed.length > 0) await claimAttributes(transaction, environmentId, claimed)
  return rows.map((row) => ({ ...row, isSettled: !open.includes(row) || claimed.includes(row) }))
}

function namedBy(key: string): { scope: Scope; name: string } {
  const [scope, name] = splitKey<Scope>(key)
  return { scope, name }
}

/** Batches insert in one order, so that none waits for another that waits for it. */
const byKey = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1)
