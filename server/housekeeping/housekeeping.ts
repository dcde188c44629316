import { deleteOldCounts, deleteOldRefusals } from '../counters/queries.ts'
import { kinds, steps } from '../counters/steps.ts'
import { deleteMarkers } from '../database/commit-markers.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import { eachEnvironment } from '../database/each-environment.ts'
import { logFailure } from '../database/log-failure.ts'
import { retentionTime } from '../database/retention-clock.ts'
import { deleteOldIdentified } from '../identifications/queries.ts'
import { leastIdAt } from '../ids.ts'
import { deleteOldEdits } from '../in-place/queries.ts'
import type { Log } from '../log.ts'
import { sumRuns } from '../results/sum.ts'
import { Rounds } from '../rounds/rounds.ts'
import { deleteOldEvents } from './event-retention.ts'
import { endPresence, recordPresence } from './presence.ts'
import { listAllEnvironments } from './queries.ts'
import { deleteOldSessions } from './session-retention.ts'
import { sweepDeletedEnvironments } from './sweep.ts'

const SWEEP_MS = 5_000
const PRESENCE_MS = 20_000
const SUMS_MS = 60_000
const COUNTERS_MS = 60 * 60 * 1000
const DAY_MS = 24 * 60 * 60 * 1000
const MARKERS_MS = 60_000
/** The marker of a commit is needed for some seconds only. */
const MARKERS_KEPT_MS = 600_000
const REFUSALS_KEPT_DAYS = 31
const EDITS_KEPT_DAYS = 1
const IDENTIFIED_KEPT_DAYS = 1

/**
 * Records that this process is running, and deletes what is no longer needed: deleted environments, old events and old
 * content sessions, in portions, and old counters and edit sessions. It also sums the runs of guided flows that are over.
 */
export class Housekeeping {
  readonly #database: Database
  readonly #log: Log
  readonly #rounds = new Rounds(SWEEP_MS, () => this.#run())
  #countersAt = 0
  #presenceAt = 0
  #markersAt = 0
  #sumsAt = 0

  constructor(database: Database, log: Log) {
    this.#database = database
    this.#log = log
  }

  start(): void {
    this.#rounds.start()
  }

  async stop(): Promise<void> {
    await this.#rounds.stop()
    if (this.#presenceAt > 0) await endPresence(this.#database).catch(() => {})
  }

  async #run(): Promise<void> {
    try {
      if (Date.now() - this.#presenceAt >= PRESENCE_MS) {
        this.#presenceAt = Date.now()
        await recordPresence(this.#database)
      }
      await sweepDeletedEnvironments(this.#database)
      const now = await retentionTime(this.#database)
      await deleteOldEvents(this.#database, { now })
      if (this.#database.isDistributed) await this.#forgetMarkers()
      await this.#sumResults()
      await deleteOldSessions(this.#database, { now })
      if (Date.now() - this.#countersAt < COUNTERS_MS) return
      this.#countersAt = Date.now()
      for (const id of await listAllEnvironments(this.#database)) await this.#forgetOldCounts(id, now)
    } catch (error) {
      logFailure(this.#log, error, {}, 'could not tidy up; the next round tries again')
    }
  }

  async #sumResults(): Promise<void> {
    if (Date.now() - this.#sumsAt < SUMS_MS) return
    this.#sumsAt = Date.now()
    await sumRuns(this.#database)
  }

  async #forgetMarkers(): Promise<void> {
    if (Date.now() - this.#markersAt < MARKERS_MS) return
    this.#markersAt = Date.now()
    const before = leastIdAt(Date.now() - MARKERS_KEPT_MS)
    await eachEnvironment(this.#database, (id) => deleteMarkers(this.#database, id, before))
  }

  async #forgetOldCounts(environmentId: EnvironmentId, now: number): Promise<void> {
    const before = (days: number) => new Date(now - days * DAY_MS).toISOString()
    for (const kind of Object.keys(kinds) as (keyof typeof kinds)[])
      for (const step of kinds[kind])
        await deleteOldCounts(this.#database, environmentId, kind, step, before(steps[step].keptDays))
    await deleteOldRefusals(this.#database, environmentId, before(REFUSALS_KEPT_DAYS))
    await deleteOldEdits(this.#database, environmentId, before(EDITS_KEPT_DAYS))
    await deleteOldIdentified(this.#database, environmentId, before(IDENTIFIED_KEPT_DAYS))
  }
}
