import type { Database, EnvironmentId } from '../database/database.ts'
import type { Part } from '../database/parts.ts'
import { tuning } from '../tuning.ts'
import { Batcher } from './batcher.ts'
import { FirstInFirstOut, type Ticket } from './waiting-items.ts'

interface Wanted<Key> {
  readonly environmentId: EnvironmentId
  readonly key: Key
}

/** Reads what each key names: for each part, one result for each of its keys, in their order. */
type ReadAll<Key, Found> = (db: Database, parts: readonly Part<Key>[]) => Promise<readonly (readonly Found[])[]>

/**
 * Reads by key. Concurrent reads of all environments become one statement. A read never sees a state from before it was
 * requested: while a statement is under way, it waits for the next. On a sharded PostgreSQL each environment is read by
 * itself, as in `objects/reader.ts`.
 */
export class GatheredReads<Key, Found> {
  readonly #database: Database
  readonly #readAll: ReadAll<Key, Found>
  readonly #most: number
  readonly #weigh: ((key: Key) => number) | undefined
  readonly #batchers = new Map<EnvironmentId | 'all', Batcher<Wanted<Key>, Found>>()

  /** A statement has up to `most` keys, or keys of this weight together. */
  constructor(
    database: Database,
    readAll: ReadAll<Key, Found>,
    most: number = tuning.mostIds,
    weigh?: (key: Key) => number,
  ) {
    this.#database = database
    this.#readAll = readAll
    this.#most = most
    this.#weigh = weigh
  }

  find(environmentId: EnvironmentId, key: Key): Promise<Found> {
    const name = this.#database.isDistributed ? environmentId : 'all'
    return (this.#batchers.get(name) ?? this.#create(name)).add({ environmentId, key })
  }

  #create(name: EnvironmentId | 'all'): Batcher<Wanted<Key>, Found> {
    const weigh = this.#weigh
    const batcher = new Batcher<Wanted<Key>, Found>(
      async (batch) => await this.#read(batch),
      new FirstInFirstOut(this.#most, weigh && (({ item }) => weigh(item.key))),
      { onIdle: () => name !== 'all' && this.#batchers.delete(name) },
    )
    this.#batchers.set(name, batcher)
    return batcher
  }

  async #read(batch: readonly Ticket<Wanted<Key>, Found>[]): Promise<void> {
    const byEnvironment = [...Map.groupBy(batch, ({ item }) => item.environmentId)].sort(
      ([one], [other]) => one - other,
    )
    const parts = byEnvironment.map(([environmentId, tickets]) => ({
      environmentId,
      items: tickets.map(({ item }) => item.key),
    }))
    const found = await this.#readAll(this.#database, parts)
    for (const [part, [, tickets]] of byEnvironment.entries())
      for (const [index, { resolve }] of tickets.entries()) resolve(found[part]?.[index] as Found)
  }
}
