import type { Database, EnvironmentId } from '../database/database.ts'
import type { Log } from '../log.ts'
import type { DefinitionCache, NewDefinitions, Scope } from './new-definitions.ts'
import { Tally } from './tally.ts'
import { addAttributeSightings, addConflicts, addEventSightings, countConflicts } from './usage-queries.ts'

const FLUSH_MS = 2_000
/** Names of one environment that are kept in memory between two flushes; with more it is flushed at once. */
const MOST_NAMES = 20_000

/**
 * When names were seen, how often, and with values of another type. It is counted in memory after each commit, and added to
 * the definitions every two seconds and when the process stops. So it is exact after a clean stop. What a process that is
 * killed has counted since its last flush is lost.
 */
export class DefinitionUsage {
  readonly #database: Database
  readonly #log: Log
  #tallies = new Map<EnvironmentId, Tally>()
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> = Promise.resolve()

  constructor(database: Database, log: Log) {
    this.#database = database
    this.#log = log
  }

  add(environmentId: EnvironmentId, newDefinitions: NewDefinitions, known: DefinitionCache, at: string): void {
    let tally = this.#tallies.get(environmentId)
    if (!tally) {
      tally = new Tally()
      this.#tallies.set(environmentId, tally)
    }
    tally.add(newDefinitions, known, at)
    if (tally.size > MOST_NAMES) void this.flush()
    // It starts with the first thing to count: a process that writes nothing needs no timer.
    this.#timer ??= setInterval(() => void this.flush(), FLUSH_MS).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  /** Everything that was counted before is in the database afterwards, unless that cannot be reached. */
  async flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#flushAll())
    await this.#flushing
  }

  async #flushAll(): Promise<void> {
    const tallies = this.#tallies
    this.#tallies = new Map()
    for (const [environmentId, tally] of tallies) {
      try {
        await this.#store(environmentId, tally)
      } catch (error) {
        this.#log.debug({ err: error, environmentId }, 'could not store when names were seen; it is kept')
        const current = this.#tallies.get(environmentId)
        if (current) current.merge(tally)
        else this.#tallies.set(environmentId, tally)
      }
    }
  }

  /** In one transaction: what fails half way is added once when it is tried again. */
  async #store(environmentId: EnvironmentId, tally: Tally): Promise<void> {
    const transaction = await this.#database.begin()
    try {
      if (tally.events.size > 0) await addEventSightings(transaction, environmentId, [...tally.events])
      const attributes = (Object.keys(tally.attributes) as Scope[]).flatMap((scope) =>
        [...tally.attributes[scope]].map(([name, at]) => ({ scope, name, at })),
      )
      if (attributes.length > 0) await addAttributeSightings(transaction, environmentId, attributes)
      const conflicts = [...tally.conflicts.values()]
      if (conflicts.length > 0) {
        await countConflicts(transaction, environmentId, conflicts)
        await addConflicts(transaction, environmentId, conflicts)
      }
      await transaction.commit()
    } catch (error) {
      await transaction.abandon(error)
      throw error
    }
  }
}
