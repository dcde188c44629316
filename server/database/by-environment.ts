import type { Database, EnvironmentId, OpenTransaction } from './database.ts'
import { isUnreachable, UnprovenCommit } from './errors.ts'
import { inTransaction } from './in-transaction.ts'

/** The most environments in one transaction. Their rows stay locked until all are written. */
const MOST_IN_A_TRANSACTION = 100

/** The most environments whose counts a regular flush stores, and the most that may wait for a later one. */
const MOST_IN_A_FLUSH = 300
const MOST_WAITING = 2_000

/**
 * Removes and returns the counts that a regular flush stores: those of the environments that have waited longest. Storing
 * the counts of an environment takes as much of PostgreSQL as the writes of an environment that writes rarely. So with many
 * environments each is stored less often.
 */
export function takeLongestWaiting<Item>(items: Map<EnvironmentId, Item>): Map<EnvironmentId, Item> {
  const most = Math.max(MOST_IN_A_FLUSH, items.size - MOST_WAITING)
  const taken = new Map([...items].slice(0, most))
  for (const environmentId of taken.keys()) items.delete(environmentId)
  return taken
}

export function takeAll<Item>(items: Map<EnvironmentId, Item>): Map<EnvironmentId, Item> {
  const taken = new Map(items)
  items.clear()
  return taken
}

/** The counts of one environment. */
export interface OfEnvironment<Item> {
  readonly environmentId: EnvironmentId
  readonly item: Item
}

/** Sends the statements for some environments, in their order. It waits only for the last one, so they share a round trip. */
type Store<Item> = (transaction: OpenTransaction, entries: readonly OfEnvironment<Item>[]) => Promise<unknown>

type Keep<Item> = (environmentId: EnvironmentId, item: Item, error: unknown) => void

/**
 * Stores the counts of many environments, many to a transaction, in the order of the environments, so that concurrent nodes
 * cannot deadlock. One transaction for each of 300 environments every two seconds took as much of PostgreSQL as the events
 * that they counted. A sharded PostgreSQL gets one for each environment. `keep` gets what was certainly not stored. Counts
 * with an unknown outcome are dropped: one count too few is better than one too many.
 */
export async function storeByEnvironment<Item>(
  database: Database,
  items: ReadonlyMap<EnvironmentId, Item>,
  store: Store<Item>,
  keep: Keep<Item>,
): Promise<void> {
  const most = database.isDistributed ? 1 : MOST_IN_A_TRANSACTION
  const sorted = [...items].sort(([a], [b]) => a - b).map(([environmentId, item]) => ({ environmentId, item }))
  for (let first = 0; first < sorted.length; first += most) {
    await storeTogether(database, sorted.slice(first, first + most), store, keep)
  }
}

/** When the transaction fails, each environment is retried alone. */
async function storeTogether<Item>(
  database: Database,
  entries: readonly OfEnvironment<Item>[],
  store: Store<Item>,
  keep: Keep<Item>,
): Promise<void> {
  try {
    await inTransaction(database, (transaction) => store(transaction, entries))
  } catch (error) {
    if (error instanceof UnprovenCommit) return
    if (entries.length > 1 && !isUnreachable(error))
      for (const entry of entries) await storeTogether(database, [entry], store, keep)
    else for (const { environmentId, item } of entries) keep(environmentId, item, error)
  }
}
