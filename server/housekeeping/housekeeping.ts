import { DAY_MS, HOUR_MS } from '../../contract/units.ts'
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
import { eachDespiteFailures } from '../rounds/each-despite-failures.ts'
import { Every } from '../rounds/every.ts'
import { Rounds } from '../rounds/rounds.ts'
import { deleteOldEvents } from './event-retention.ts'
import { endPresence, recordPresence } from './presence.ts'
import { listAllEnvironments } from './queries.ts'
import { deleteOldSessions } from './session-retention.ts'
import { sweepDeletedEnvironments } from './sweep.ts'

const SWEEP_MS = 5_000
const PRESENCE_MS = 20_000
const SUMS_MS = 60_000
const COUNTERS_MS = HOUR_MS
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
  readonly #presence = new Every(PRESENCE_MS)
  readonly #counters = new Every(COUNTERS_MS)
  readonly #markers = new Every(MARKERS_MS)
  readonly #sums = new Every(SUMS_MS)
  #isPresent = false

  constructor(database: Database, log: Log) {
    this.#database = database
    this.#log = log
  }

  start(): void {
    this.#rounds.start()
  }

  async stop(): Promise<void> {
    await this.#rounds.stop()
    if (this.#isPresent) await endPresence(this.#database).catch(() => {})
  }

  async #run(): Promise<void> {
    if (this.#presence.isDue()) await this.#attempt(() => this.#recordPresence())
    await this.#attempt(() => sweepDeletedEnvironments(this.#database))
    await this.#attempt(() => this.#forgetOld())
  }

  async #recordPresence(): Promise<void> {
    this.#isPresent = true
    await recordPresence(this.#database)
  }

  async #forgetOld(): Promise<void> {
    const now = await retentionTime(this.#database)
    await this.#attempt(() => deleteOldEvents(this.#database, { now }))
    if (this.#database.isDistributed && this.#markers.isDue()) await this.#attempt(() => this.#forgetMarkers(now))
    if (this.#sums.isDue()) await this.#attempt(() => sumRuns(this.#database))
    await this.#attempt(() => deleteOldSessions(this.#database, { now }))
    if (!this.#counters.isDue()) return
    await eachDespiteFailures(await listAllEnvironments(this.#database), (id) => this.#forgetOldCounts(id, now))
  }

  /** What fails holds up nothing else. */
  async #attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      logFailure(this.#log, error, {}, 'could not tidy up; the next round tries again')
    }
  }

  async #forgetMarkers(now: number): Promise<void> {
    const before = leastIdAt(now - MARKERS_KEPT_MS)
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
