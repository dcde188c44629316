import type { Database, EnvironmentId } from '../../database/database.ts'
import { isAway, isRetryable, isTimeout } from '../../database/errors.ts'
import type { Log } from '../../log.ts'
import { type Settlement, settleDeliveries } from './settle-queries.ts'

/** Outcomes gather this long: at 1,500 deliveries a second that makes 60 of them one statement. */
const GATHER_MS = 40
const AGAIN_MS = 500
const MOST_AT_ONCE = 500

/** Gathers the outcomes of attempts and writes them down in batches; one that cannot be written now is kept. */
export class Settler {
  readonly #database: Database
  readonly #log: Log
  readonly #onWaiting: (environmentId: EnvironmentId, dueMs: number) => void
  #waiting = new Map<EnvironmentId, Settlement[]>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined
  /** Settlements that came too late: the lease was somebody else's by then. */
  fencedOff = 0

  constructor(database: Database, log: Log, onWaiting: (environmentId: EnvironmentId, dueMs: number) => void) {
    this.#database = database
    this.#log = log
    this.#onWaiting = onWaiting
  }

  add(environmentId: EnvironmentId, settlement: Settlement): void {
    const waiting = this.#waiting.get(environmentId)
    if (waiting) waiting.push(settlement)
    else this.#waiting.set(environmentId, [settlement])
    this.#arm(GATHER_MS)
  }

  /** Writes what there is, and tries it once; what cannot be written comes back when its lease ends. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#writing
    await this.#write()
    clearTimeout(this.#timer)
  }

  #arm(delayMs: number): void {
    if (this.#timer !== undefined || this.#writing) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#writing = this.#write().then((allWritten) => {
        this.#writing = undefined
        if (this.#waiting.size > 0) this.#arm(allWritten ? GATHER_MS : AGAIN_MS)
      })
    }, delayMs)
  }

  async #write(): Promise<boolean> {
    const batches = [...this.#waiting].flatMap(([environmentId, settlements]) =>
      chunks(settlements, MOST_AT_ONCE).map((batch) => ({ environmentId, batch })),
    )
    this.#waiting = new Map()
    const written = await Promise.all(batches.map(({ environmentId, batch }) => this.#settle(environmentId, batch)))
    return written.every(Boolean)
  }

  async #settle(environmentId: EnvironmentId, batch: Settlement[]): Promise<boolean> {
    try {
      this.fencedOff += batch.length - (await settleDeliveries(this.#database, environmentId, batch))
      const due = batch.map(({ next }) => (next ? Date.parse(next.at) : Number.POSITIVE_INFINITY))
      this.#onWaiting(environmentId, Math.min(...due))
      return true
    } catch (error) {
      if (isAway(error) || isRetryable(error) || isTimeout(error)) {
        this.#waiting.set(environmentId, [...(this.#waiting.get(environmentId) ?? []), ...batch])
        return false
      }
      return await this.#settleEach(environmentId, batch, error)
    }
  }

  /** One settlement that PostgreSQL refuses must not hold up the others. It is sent again when its lease has run out. */
  async #settleEach(environmentId: EnvironmentId, batch: Settlement[], error: unknown): Promise<boolean> {
    if (batch.length === 1) {
      this.#log.error(
        { err: error, environmentId, notification: batch[0]?.notificationId },
        'an attempt was not settled',
      )
      return true
    }
    for (const settlement of batch) await this.#settle(environmentId, [settlement])
    return true
  }
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
