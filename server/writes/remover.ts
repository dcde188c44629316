import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, EnvironmentId, OpenTransaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { deletePendingDeletion, findEnvironmentsWithDeletions, lockPendingDeletion } from '../deletions/pending.ts'
import type { Log } from '../log.ts'
import { deleteMembershipsOf } from '../memberships/removal.ts'
import { deleteNotificationsOf } from '../outbox/removal.ts'
import { deleteEventsOf } from './event-queries.ts'

/** Rows of one step: few, so that a step holds its locks only for some milliseconds. */
const ROWS_PER_STEP = 300
/** After each step it pauses for as long as the step took, at least this long, so that writes have priority. */
const LEAST_REST_MS = 5
const AFTER_FAILURE_MS = 5_000
/** How often it looks for the unfinished deletions of dead nodes. */
const EVERY_MS = 30_000

/**
 * Removes the remaining rows of deleted users and groups in steps, each a transaction. An interrupted step is repeated
 * after the next start. Several nodes share the work: each takes a deletion that no other has locked.
 */
export class Remover {
  readonly #database: Database
  readonly #log: Log
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #stopped = false

  constructor(database: Database, log: Log) {
    this.#database = database
    this.#log = log
  }

  start(): void {
    this.#timer = setInterval(this.wake, EVERY_MS).unref()
    this.wake()
  }

  readonly wake = (): void => {
    if (this.#stopped || this.#timer === undefined) return
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
  }

  /** Finishes the step that is under way. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      try {
        if (!(await this.#runRound())) return
      } catch (error) {
        this.#log.warn({ err: error }, 'a step of a deletion failed; it is tried again')
        await sleep(AFTER_FAILURE_MS, undefined, { ref: false })
      }
    }
  }

  /** A step for each environment. False when there was nothing to do, or other nodes do it. */
  async #runRound(): Promise<boolean> {
    let removed = false
    for (const environmentId of await findEnvironmentsWithDeletions(this.#database)) {
      if (this.#stopped) return false
      const started = performance.now()
      const step = (transaction: OpenTransaction) => removeStep(transaction, environmentId)
      if (!(await inTransaction(this.#database, step))) continue
      removed = true
      await sleep(Math.max(LEAST_REST_MS, performance.now() - started))
    }
    return removed
  }
}

/** False when nothing is left to do. */
async function removeStep(transaction: OpenTransaction, environmentId: EnvironmentId): Promise<boolean> {
  const pending = await lockPendingDeletion(transaction, environmentId)
  if (!pending) return false
  const { owner, ownerId, boundary, objectCreatedAt } = pending
  const objects = [{ id: ownerId, createdAt: objectCreatedAt ?? undefined }]
  const part = { owner, ids: [ownerId], boundary, most: ROWS_PER_STEP } as const
  const isMemberLeft = await deleteMembershipsOf(transaction, environmentId, { owner, objects, most: ROWS_PER_STEP })
  const events = await deleteEventsOf(transaction, environmentId, part)
  const notifications = await deleteNotificationsOf(transaction, environmentId, part)
  if (!isMemberLeft && events + notifications === 0) await deletePendingDeletion(transaction, pending)
  return true
}
