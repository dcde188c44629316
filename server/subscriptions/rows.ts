import { limits } from '../../contract/limits.ts'
import { Rows } from '../batches/rows.ts'
import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import { sortedUnique } from '../database/lock-order.ts'
import {
  countSubscriptions,
  deleteSubscriptions,
  insertSubscriptions,
  lockSubscriptionCount,
  lockSubscriptions,
  type StoredSubscription,
  updateSubscription,
} from './queries.ts'

/** What the jobs of a batch have read of the subscriptions of one environment, and what they make of it. */
export class SubscriptionRows {
  readonly #rows = new Rows<StoredSubscription>()
  #room = 0

  get hasRoom(): boolean {
    return this.#room > 0
  }

  get(id: string): StoredSubscription | undefined {
    return this.#rows.get(id)
  }

  put(row: StoredSubscription): void {
    if (!this.#rows.get(row.id)) this.#room -= 1
    this.#rows.set(row.id, row)
  }

  remove(id: string): void {
    if (this.#rows.get(id)) this.#room += 1
    this.#rows.set(id, undefined)
  }

  /**
   * Locks and reads the subscriptions with these ids. One that is undefined is created: creations in one environment wait
   * for each other on all nodes, so that the limit is exact. All statements are sent at once, so that the locks of a batch are
   * taken in the order of its environments.
   */
  async load(
    transaction: OpenTransaction,
    environmentId: EnvironmentId,
    ids: readonly (string | undefined)[],
  ): Promise<void> {
    const known = sortedUnique(ids.flatMap((id) => id ?? []))
    const [, count, rows] = await Promise.all([
      known.length < ids.length && lockSubscriptionCount(transaction, environmentId),
      known.length < ids.length ? countSubscriptions(transaction, environmentId) : 0,
      known.length > 0 ? lockSubscriptions(transaction, environmentId, known) : [],
    ])
    this.#room = limits.subscriptionsPerEnvironment - count
    for (const row of rows) this.#rows.load(row.id, row)
  }

  /** Returns the ids of those that were changed or deleted. */
  async store(transaction: OpenTransaction, environmentId: EnvironmentId): Promise<string[]> {
    const { created, updated, removed } = this.#rows.changes()
    const rowsOf = (entries: readonly [string, StoredSubscription][]) => entries.map(([, row]) => row)
    const removedIds = removed.map(([id]) => id)
    await Promise.all([
      created.length > 0 && insertSubscriptions(transaction, environmentId, rowsOf(created)),
      ...rowsOf(updated).map((row) => updateSubscription(transaction, environmentId, row)),
      removedIds.length > 0 && deleteSubscriptions(transaction, environmentId, removedIds),
    ])
    return [...updated.map(([id]) => id), ...removedIds]
  }
}
