import { setTimeout as sleep } from 'node:timers/promises'
import type { EnvironmentId } from '../database/database.ts'
import { eachLiveEnvironment } from '../database/each-environment.ts'
import { logFailure } from '../database/log-failure.ts'
import { retentionTime } from '../database/retention-clock.ts'
import { findDeletedContent, forgetDeletedContent, removeLeftOf } from '../deletions/deleted-content.ts'
import { OldClaims } from '../history/old-claims.ts'
import { findOverdueSessions, idleSince } from '../history/overdue.ts'
import type { Log } from '../log.ts'
import { Rounds } from '../rounds/rounds.ts'
import type { Services } from '../services.ts'
import { expireJob } from './jobs.ts'

const EVERY_MS = 30_000
/** A step: few, so that other writes do not wait. */
const MOST_AT_ONCE = 100
const MOST_REMOVED = 500

/**
 * Ends what is over, in steps, each session by a job of its user: sessions whose publisher let them end, and those without
 * activity for 30 days. Deletes claims that nobody has held for a day, and what deleted content left. Several nodes may do
 * the same: a job that finds its session ended changes nothing.
 */
export class SessionEnder {
  readonly #services: Services
  readonly #log: Log
  readonly #rounds = new Rounds(EVERY_MS, () => this.run())
  readonly #oldClaims = new OldClaims()

  constructor(services: Services, log: Log) {
    this.#services = services
    this.#log = log
  }

  start(): void {
    this.#rounds.start()
  }

  async stop(): Promise<void> {
    await this.#rounds.stop()
  }

  async run(): Promise<void> {
    let overdue = 0
    try {
      const { database } = this.#services
      const idle = idleSince(await retentionTime(database))
      await eachLiveEnvironment(database, async (id) => {
        overdue += await this.#runFor(id, idle)
      })
      this.#services.metrics.guidance.overdue = overdue
    } catch (error) {
      logFailure(this.#log, error, {}, 'could not end sessions that are over; the next round tries again')
    }
  }

  /** Returns how many sessions of the environment were over when the round began, at most those of one step. */
  async #runFor(environmentId: EnvironmentId, idle: number): Promise<number> {
    const { database, commits, writes, metrics } = this.#services
    let overdue: number | undefined
    while (!this.#rounds.signal.aborted) {
      const found = await findOverdueSessions(database, environmentId, idle, MOST_AT_ONCE)
      overdue ??= found.length
      const jobs = found.map((session) => expireJob(session, idle))
      await Promise.all(jobs.map((job) => commits.submit(writes as never, environmentId, job as never)))
      metrics.guidance.ended += found.length
      if (found.length === 0) break
      await sleep(5)
    }
    await this.#oldClaims.remove(database, environmentId, this.#rounds.signal)
    for (const contentId of await findDeletedContent(database, environmentId))
      await this.#remove(environmentId, contentId)
    return overdue ?? 0
  }

  async #remove(environmentId: EnvironmentId, contentId: string): Promise<void> {
    const { database } = this.#services
    while ((await removeLeftOf(database, environmentId, contentId, MOST_REMOVED)) > 0) {
      if (this.#rounds.signal.aborted) return
      await sleep(5)
    }
    await forgetDeletedContent(database, environmentId, contentId)
  }
}
