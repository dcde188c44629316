import type { Database, EnvironmentId } from '../../database/database.ts'
import { isRetryable, isTimeout, isUnreachable } from '../../database/errors.ts'
import type { Log } from '../../log.ts'
import type { HealthChange } from './endpoint-records.ts'
import { type DeliveryOutcome, writeOutcomes } from './outcome-queries.ts'
import type { RoundTimer } from './round-timer.ts'

/** Outcomes gather this long: at 1,500 deliveries a second that makes a batch of 60. */
const GATHER_MS = 40
const AGAIN_MS = 500
const MOST_AT_ONCE = 500

/**
 * Ends leases: gathers the outcomes of deliveries and writes them in batches. Outcomes that cannot be written now are kept
 * and retried. Each environment is written by itself: one whose rows are locked must not delay the outcomes of others, whose
 * leases would run out.
 */
export class OutcomeWriter {
  readonly #database: Database
  readonly #log: Log
  readonly #timer: RoundTimer
  readonly #waiting = new Map<EnvironmentId, DeliveryOutcome[]>()
  readonly #gathering = new Map<EnvironmentId, NodeJS.Timeout>()
  readonly #writing = new Map<EnvironmentId, Promise<void>>()
  /** Outcomes that came too late: another process had the lease by then. */
  fencedOff = 0
  /** Endpoints that went down, and that recovered, in transactions of this process. */
  readonly endpoints = { wentDown: 0, recovered: 0 }

  constructor(database: Database, log: Log, timer: RoundTimer) {
    this.#database = database
    this.#log = log
    this.#timer = timer
  }

  add(environmentId: EnvironmentId, outcome: DeliveryOutcome): void {
    const waiting = this.#waiting.get(environmentId)
    if (waiting) waiting.push(outcome)
    else this.#waiting.set(environmentId, [outcome])
    this.#writeAfter(environmentId, GATHER_MS)
  }

  /** Tries once to write everything. What cannot be written is sent again when its lease has run out. */
  async close(): Promise<void> {
    this.#stopGathering()
    await Promise.all(this.#writing.values())
    this.#stopGathering()
    await Promise.all([...this.#waiting.keys()].map((environmentId) => this.#writeAll(environmentId)))
  }

  #stopGathering(): void {
    for (const timer of this.#gathering.values()) clearTimeout(timer)
    this.#gathering.clear()
  }

  #writeAfter(environmentId: EnvironmentId, delayMs: number): void {
    if (this.#gathering.has(environmentId) || this.#writing.has(environmentId)) return
    const timer = setTimeout(() => {
      this.#gathering.delete(environmentId)
      this.#writing.set(environmentId, this.#writeWaiting(environmentId))
    }, delayMs)
    this.#gathering.set(environmentId, timer)
  }

  async #writeWaiting(environmentId: EnvironmentId): Promise<void> {
    const allWritten = await this.#writeAll(environmentId)
    this.#writing.delete(environmentId)
    if (this.#waiting.has(environmentId)) this.#writeAfter(environmentId, allWritten ? GATHER_MS : AGAIN_MS)
  }

  async #writeAll(environmentId: EnvironmentId): Promise<boolean> {
    const outcomes = this.#waiting.get(environmentId) ?? []
    this.#waiting.delete(environmentId)
    const batches = chunks(outcomes, MOST_AT_ONCE)
    const written = await Promise.all(batches.map((batch) => this.#write(environmentId, batch)))
    return written.every(Boolean)
  }

  async #write(environmentId: EnvironmentId, batch: DeliveryOutcome[]): Promise<boolean> {
    try {
      const { written, healthChanges } = await writeOutcomes(this.#database, environmentId, batch)
      this.fencedOff += batch.length - written
      for (const change of healthChanges) this.#onHealthChange(environmentId, change)
      const dueMs = batch.map(({ end }) => ('dueAt' in end ? Date.parse(end.dueAt) : Number.POSITIVE_INFINITY))
      this.#timer.checkAt(environmentId, Math.min(...dueMs))
      return true
    } catch (error) {
      if (isUnreachable(error) || isRetryable(error) || isTimeout(error)) {
        this.#waiting.set(environmentId, [...(this.#waiting.get(environmentId) ?? []), ...batch])
        return false
      }
      return await this.#writeEach(environmentId, batch, error)
    }
  }

  /** Only the process whose transaction made a change sees it. */
  #onHealthChange(
    environmentId: EnvironmentId,
    { subscriptionId, isDown, failures, failingSince }: HealthChange,
  ): void {
    const subscription = { environmentId, subscription: subscriptionId }
    if (isDown) {
      this.endpoints.wentDown += 1
      this.#log.warn(
        { ...subscription, failures, failingSince },
        'a webhook endpoint is down: it has failed for over an hour',
      )
    } else {
      this.endpoints.recovered += 1
      this.#log.info(subscription, 'a webhook endpoint has recovered')
    }
  }

  /** An outcome that PostgreSQL refuses must not hold up the others. It is sent again when its lease has run out. */
  async #writeEach(environmentId: EnvironmentId, batch: DeliveryOutcome[], error: unknown): Promise<boolean> {
    if (batch.length === 1) {
      const notification = batch[0]?.notificationId
      this.#log.error({ err: error, environmentId, notification }, 'the outcome of a delivery was not written')
      return true
    }
    for (const outcome of batch) await this.#write(environmentId, [outcome])
    return true
  }
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
