import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, EnvironmentId, OpenTransaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Log } from '../log.ts'
import { Rounds } from '../rounds/rounds.ts'
import { findEnvironmentsWithDeletions } from './pending.ts'
import { type DeletionProgress, removeStep } from './remove-step.ts'
import { refreshStatistics } from './statistics.ts'

/** After each step it pauses for as long as the step took, at least this long, so that writes have priority. */
const LEAST_REST_MS = 5
const AFTER_FAILURE_MS = 5_000
/** How often it looks for the unfinished deletions of dead nodes. */
const EVERY_MS = 30_000
const REFRESH_MS = 1_000
const FAILED = 'a step of a deletion failed; it is tried again'

/**
 * Removes the remaining rows of deleted users and groups in steps, each a transaction. An interrupted step is repeated
 * after the next start. Several nodes share the work: each takes a deletion that no other has locked.
 */
export class Remover {
  readonly #database: Database
  readonly #log: Log
  readonly #rounds = new Rounds(EVERY_MS, () => this.#run())
  #refreshedAt = Number.NEGATIVE_INFINITY
  /** The environments whose last step failed, and when. They hold up no other. */
  readonly #failedAt = new Map<EnvironmentId, number>()
  /** By deletion. Other nodes and the next start have none, and read past the deleted rows once. */
  readonly #progress = new Map<string, DeletionProgress>()

  constructor(database: Database, log: Log) {
    this.#database = database
    this.#log = log
  }

  start(): void {
    this.#rounds.start()
    this.wake()
  }

  readonly wake = (): void => this.#rounds.wake()

  /** Finishes the step that is under way. */
  async stop(): Promise<void> {
    await this.#rounds.stop()
  }

  async #run(): Promise<void> {
    const { signal } = this.#rounds
    while (!signal.aborted) {
      try {
        const removed = await this.#runRound()
        if (removed) continue
        if (this.#failedAt.size === 0) return
      } catch (error) {
        this.#log.warn({ err: error }, FAILED)
      }
      await sleep(AFTER_FAILURE_MS, undefined, { ref: false, signal }).catch(() => {})
    }
  }

  /** Counting the deletions in every round would take more than the rounds. A failure is ignored: autovacuum makes them too. */
  async #refreshStatistics(): Promise<void> {
    const now = performance.now()
    if (now - this.#refreshedAt < REFRESH_MS) return
    this.#refreshedAt = now
    await refreshStatistics(this.#database).catch(() => {})
  }

  /** A step for each environment. False when there was nothing to do, or other nodes do it. */
  async #runRound(): Promise<boolean> {
    let removed = false
    const environmentIds = await findEnvironmentsWithDeletions(this.#database)
    // Other nodes may have finished deletions that this one began.
    if (environmentIds.length === 0) this.#progress.clear()
    else await this.#refreshStatistics()
    for (const environmentId of this.#failedAt.keys())
      if (!environmentIds.includes(environmentId)) this.#failedAt.delete(environmentId)
    for (const environmentId of environmentIds) {
      if (this.#rounds.signal.aborted) return false
      const started = performance.now()
      if (started - (this.#failedAt.get(environmentId) ?? Number.NEGATIVE_INFINITY) < AFTER_FAILURE_MS) continue
      if (!(await this.#step(environmentId))) continue
      removed = true
      await sleep(Math.max(LEAST_REST_MS, performance.now() - started))
    }
    return removed
  }

  /** Whether something was removed. */
  async #step(environmentId: EnvironmentId): Promise<boolean> {
    try {
      const step = (transaction: OpenTransaction) => removeStep(transaction, environmentId, this.#progress)
      const done = await inTransaction(this.#database, step)
      if (done?.next) this.#progress.set(done.deletion, done.next)
      else if (done) this.#progress.delete(done.deletion)
      this.#failedAt.delete(environmentId)
      return done !== undefined
    } catch (error) {
      this.#log.warn({ err: error, environmentId }, FAILED)
      this.#failedAt.set(environmentId, performance.now())
      return false
    }
  }
}
