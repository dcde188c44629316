import type { DataType } from '../../contract/attributes.ts'
import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import { definitionKey, Known, type News, partsOf, type Scope } from './news.ts'
import { findAttributeTypes, insertAttributeDefinitions, insertEventDefinitions, insertUses } from './queries.ts'
import type { DefinitionUsage } from './usage.ts'

/** A hostile caller can make names without end; what is remembered of them has an end, and is read again when needed. */
const MOST_REMEMBERED = 100_000

/** Writes definitions the first time a name is seen, and remembers which exist, so that a known name costs nothing. */
export class DefinitionRegistry {
  readonly #known = new Map<EnvironmentId, Known>()
  readonly #usage: DefinitionUsage

  constructor(usage: DefinitionUsage) {
    this.#usage = usage
  }

  of(environmentId: EnvironmentId): Known {
    const known = this.#known.get(environmentId)
    if (known && known.size < MOST_REMEMBERED) return known
    const fresh = new Known()
    this.#known.set(environmentId, fresh)
    return fresh
  }

  /** After the commit of what a batch has seen. */
  count(environmentId: EnvironmentId, news: News, at: string): void {
    this.#usage.add(environmentId, news, this.of(environmentId), at)
  }

  async record(transaction: OpenTransaction, environmentId: EnvironmentId, news: News, at: string): Promise<void> {
    if (news.none) return
    const known = this.of(environmentId)
    const events = [...news.events].sort()
    const uses = [...news.uses].sort()
    if (events.length > 0) await insertEventDefinitions(transaction, environmentId, events, at)
    if (uses.length > 0) await insertUses(transaction, environmentId, uses)
    const types = await this.#recordAttributes(transaction, environmentId, news, at)
    transaction.afterCommit(() => {
      for (const event of events) known.learnEvent(event)
      for (const use of uses) known.learnUse(...partsOf(use))
      for (const [key, dataType] of types) known.learnAttribute(definitionOf(key), dataType)
    })
  }

  /** Returns the type that each definition has now: that of the first value ever seen. */
  async #recordAttributes(
    transaction: OpenTransaction,
    environmentId: EnvironmentId,
    news: News,
    at: string,
  ): Promise<Map<string, DataType>> {
    const types = new Map<string, DataType>()
    if (news.attributes.size === 0) return types
    const wanted = [...news.attributes.keys()]
      .sort()
      .map((key) => ({ ...definitionOf(key), dataType: news.attributes.get(key) as DataType }))
    await insertAttributeDefinitions(transaction, environmentId, wanted, at)
    for (const row of await findAttributeTypes(transaction, environmentId, wanted))
      types.set(definitionKey(row.scope, row.name), row.data_type)
    return types
  }
}

function definitionOf(key: string): { scope: Scope; name: string } {
  const [scope, name] = partsOf<Scope>(key)
  return { scope, name }
}
