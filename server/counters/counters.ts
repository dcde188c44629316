import { recordKeyUses } from '../accounts/key-queries.ts'
import { type OfEnvironment, storeByEnvironment, takeAll, takeLongestWaiting } from '../database/by-environment.ts'
import type { Database, EnvironmentId, Transaction } from '../database/database.ts'
import { logFailure } from '../database/log-failure.ts'
import { partsOf } from '../database/parts.ts'
import type { Log } from '../log.ts'
import { addCounts, addRefusals, addTotals, type CountRow } from './queries.ts'
import { type CounterKind, kinds, startOf } from './steps.ts'
import { type Count, CounterTally } from './tally.ts'

const FLUSH_MS = 2_000
const KEY_USES_MS = 10_000
/** The most environments that are counted between two flushes. It bounds the memory. */
const MOST_TALLIES = 10_000

/**
 * Counts requests and events in memory, and adds the counts to the database every two seconds, or later with more than 300
 * environments. A killed process loses its counts since the last flush: they are for display only.
 */
export class Counters {
  readonly #database: Database
  readonly #log: Log
  readonly #tallies = new Map<EnvironmentId, CounterTally>()
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> | undefined
  /** The last use of each key since the last flush. */
  #keyUses = new Map<number, number>()
  /** By the monotonic clock: one of the machine that is set back would hold it up for as long. */
  #keyUsesStoredAt = Number.NEGATIVE_INFINITY

  constructor(database: Database, log: Log) {
    this.#database = database
    this.#log = log
  }

  start(): void {
    this.#timer = setInterval(() => this.#flushSome(), FLUSH_MS).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#keyUsesStoredAt = Number.NEGATIVE_INFINITY
    await this.flush()
  }

  of(environmentId: EnvironmentId): CounterTally {
    let tally = this.#tallies.get(environmentId)
    if (!tally) {
      tally = new CounterTally()
      if (this.#tallies.size < MOST_TALLIES) this.#tallies.set(environmentId, tally)
    }
    return tally
  }

  useKey(keyId: number, now: number): void {
    this.#keyUses.set(keyId, now)
  }

  /** `count` is the number of created users or groups, negative for deleted ones. */
  changeTotal(environmentId: EnvironmentId, table: 'users' | 'groups', count: number): void {
    const tally = this.of(environmentId)
    tally[table] += count
    if (count > 0) tally.add(table === 'users' ? 'user' : 'group', '', count)
  }

  /** Skipped while a flush is under way: while the database does not answer, flushes must not queue. */
  #flushSome(): void {
    if (!this.#flushing) void this.flush(Date.now(), takeLongestWaiting)
  }

  /** Writes all counts to the database, unless it cannot be reached. */
  async flush(now = Date.now(), take = takeAll<CounterTally>): Promise<void> {
    while (this.#flushing) await this.#flushing
    this.#flushing = this.#store(take(this.#tallies), now).finally(() => {
      this.#flushing = undefined
    })
    await this.#flushing
  }

  async #store(tallies: ReadonlyMap<EnvironmentId, CounterTally>, now: number): Promise<void> {
    const store = (transaction: Transaction, entries: readonly OfEnvironment<CounterTally>[]) =>
      storeTallies(transaction, entries, now)
    await storeByEnvironment(this.#database, tallies, store, (environmentId, tally, error) => {
      logFailure(this.#log, error, { environmentId }, 'could not store counters; they are kept')
      this.of(environmentId).merge(tally)
    })
    const isDue = performance.now() - this.#keyUsesStoredAt >= KEY_USES_MS
    if (isDue && this.#keyUses.size > 0) await this.#storeKeyUses()
  }

  async #storeKeyUses(): Promise<void> {
    const uses = [...this.#keyUses].sort(([a], [b]) => a - b)
    this.#keyUses = new Map()
    this.#keyUsesStoredAt = performance.now()
    await recordKeyUses(
      this.#database,
      uses.map(([id, ms]) => ({ id, at: new Date(ms).toISOString() })),
    ).catch((error: unknown) => logFailure(this.#log, error, {}, 'could not store when keys were used'))
  }
}

/** However many environments, these are three statements. */
async function storeTallies(
  transaction: Transaction,
  entries: readonly OfEnvironment<CounterTally>[],
  now: number,
): Promise<void> {
  const counts = partsOf(entries, ({ item: tally }) =>
    (Object.keys(kinds) as CounterKind[]).flatMap((kind) => countRows(kind, tally.counts[kind] ?? new Map(), now)),
  )
  const refusals = partsOf(entries, ({ item: tally }) => [...tally.refusals.values()])
  const totals = partsOf(entries, ({ item: { users, groups, lastAt } }) => [
    { users, groups, lastRequestAt: lastAt === 0 ? null : new Date(lastAt).toISOString() },
  ])
  await Promise.all([
    addCounts(transaction, counts, new Date(now).toISOString()),
    addRefusals(transaction, refusals, isoStart('hour', now)),
    addTotals(transaction, totals),
  ])
}

function countRows(kind: CounterKind, names: ReadonlyMap<string, Count>, now: number): CountRow[] {
  return kinds[kind].flatMap((step) => {
    const at = isoStart(step, now)
    return [...names].map(([name, { count }]) => ({ kind, step, at, name, count }))
  })
}

function isoStart(step: 'minute' | 'hour' | 'day', now: number): string {
  return new Date(startOf(step, now)).toISOString()
}
