import { isoTime } from '../clock.ts'
import { addCounts, type CountRow } from '../counters/queries.ts'
import { sum } from '../counters/series.ts'
import { startOf } from '../counters/steps.ts'
import { type OfEnvironment, storeByEnvironment, takeAll, takeLongestWaiting } from '../database/by-environment.ts'
import type { Database, EnvironmentId, Transaction } from '../database/database.ts'
import { logFailure } from '../database/log-failure.ts'
import { partsOf } from '../database/parts.ts'
import type { Log } from '../log.ts'
import type { DefinitionCache, NewDefinitions, Scope } from './new-definitions.ts'
import { type Conflict, DefinitionTally } from './tally.ts'
import {
  type AttributeSighting,
  addAttributeSightings,
  addConflicts,
  addEventSightings,
  countConflicts,
  keepOwners,
} from './usage-queries.ts'

const FLUSH_MS = 2_000
/** The most names of one environment in memory between two flushes. With more, a flush starts at once. */
const MOST_NAMES = 20_000

/**
 * Counts when and how often names were seen, and with values of other types. It counts in memory after each commit, and adds
 * to the definitions and to the days of events and attributes every two seconds and when the process stops. The counts are exact after
 * a clean stop. A killed process loses its counts since the last flush.
 */
export class DefinitionUsage {
  readonly #database: Database
  readonly #log: Log
  readonly #tallies = new Map<EnvironmentId, DefinitionTally>()
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> | undefined

  constructor(database: Database, log: Log) {
    this.#database = database
    this.#log = log
  }

  add(environmentId: EnvironmentId, newDefinitions: NewDefinitions, known: DefinitionCache, at: string): void {
    let tally = this.#tallies.get(environmentId)
    if (!tally) {
      tally = new DefinitionTally()
      this.#tallies.set(environmentId, tally)
    }
    tally.add(newDefinitions, known, at)
    if (tally.size > MOST_NAMES && !this.#flushing) void this.flush()
    // Started with the first count: a process that writes nothing needs no timer.
    this.#timer ??= setInterval(() => this.#flushSome(), FLUSH_MS).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  /** Skipped while a flush is under way: while the database does not answer, flushes must not queue. */
  #flushSome(): void {
    if (!this.#flushing) void this.flush(takeLongestWaiting)
  }

  /** Writes all counts to the database, unless it cannot be reached. */
  async flush(take = takeAll<DefinitionTally>): Promise<void> {
    while (this.#flushing) await this.#flushing
    this.#flushing = this.#store(take(this.#tallies)).finally(() => {
      this.#flushing = undefined
    })
    await this.#flushing
  }

  async #store(tallies: ReadonlyMap<EnvironmentId, DefinitionTally>): Promise<void> {
    await storeByEnvironment(this.#database, tallies, storeTallies, (environmentId, tally, error) => {
      logFailure(this.#log, error, { environmentId }, 'could not store when names were seen; it is kept')
      const current = this.#tallies.get(environmentId)
      if (current) current.merge(tally)
      else this.#tallies.set(environmentId, tally)
    })
  }
}

/** However many environments, these are three statements, and some more for those with values of other types. */
async function storeTallies(
  transaction: Transaction,
  entries: readonly OfEnvironment<DefinitionTally>[],
): Promise<void> {
  const now = Date.now()
  const attributes = entries.map(({ item }) => attributeSightings(item))
  await Promise.all([
    addEventSightings(
      transaction,
      partsOf(entries, ({ item }) => [...item.events]),
    ),
    addAttributeSightings(
      transaction,
      partsOf(entries, (_, index) => attributes[index] ?? []),
    ),
    addCounts(
      transaction,
      partsOf(entries, ({ item }, index) => [
        ...eventCounts(item, now),
        ...attributeCounts(attributes[index] ?? [], now),
      ]),
      isoTime(now),
    ),
    ...entries.map(({ environmentId, item }) =>
      storeConflicts(transaction, environmentId, [...item.conflicts.values()]),
    ),
  ])
}

function attributeSightings({ attributes }: DefinitionTally): AttributeSighting[] {
  return (Object.keys(attributes) as Scope[]).flatMap((scope) =>
    [...(attributes[scope] ?? [])].map(([name, seen]) => ({ scope, name, ...seen })),
  )
}

async function storeConflicts(
  transaction: Transaction,
  environmentId: EnvironmentId,
  conflicts: readonly Conflict[],
): Promise<void> {
  if (conflicts.length === 0) return
  await Promise.all([
    countConflicts(transaction, environmentId, conflicts),
    addShownConflicts(transaction, environmentId, conflicts),
  ])
}

/** The minute counts what arrived, whatever its time. Days count events by their own time. */
function eventCounts({ events, eventDays }: DefinitionTally, now: number): CountRow[] {
  if (events.size === 0) return []
  const arrived = sum([...events.values()].map(({ count }) => count))
  const minute: CountRow = {
    kind: 'event',
    step: 'minute',
    at: isoTime(startOf('minute', now)),
    name: '',
    count: arrived,
  }
  const days = [...eventDays].flatMap(([day, names]): CountRow[] => {
    const at = isoTime(day)
    const ofNames = [...names].map(([name, count]): CountRow => ({ kind: 'event_name', step: 'day', at, name, count }))
    return [{ kind: 'event', step: 'day', at, name: '', count: sum([...names.values()]) }, ...ofNames]
  })
  return [minute, ...days]
}

function attributeCounts(attributes: readonly AttributeSighting[], now: number): CountRow[] {
  const at = isoTime(startOf('day', now))
  return attributes.map(({ scope, name, count }) => ({ kind: `attribute_${scope}`, step: 'day', at, name, count }))
}

/** Without those whose example is a value of a user, a group or an event that was deleted since. */
async function addShownConflicts(
  transaction: Transaction,
  environmentId: EnvironmentId,
  conflicts: readonly Conflict[],
): Promise<void> {
  const shown = await keepOwners(transaction, environmentId, conflicts)
  if (shown.length > 0) await addConflicts(transaction, environmentId, shown)
}
