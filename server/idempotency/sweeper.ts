import { setTimeout as sleep } from 'node:timers/promises'
import type { Queryable } from '../database/database.ts'
import { eachEnvironment } from '../database/each-environment.ts'
import type { Log } from '../log.ts'
import { deleteExpiredAnswers, deleteExpiredAnswersOf } from './queries.ts'

const EVERY_MS = 600_000
const MOST_AT_ONCE = 1_000
/** A pause between two steps, so that writes are not delayed. */
const PAUSE_MS = 100

/** Deletes the answers of idempotency keys that are over 24 hours old, in small steps. */
export class IdempotencySweeper {
  readonly #database: Queryable
  readonly #log: Log
  readonly #stopping = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(database: Queryable, log: Log) {
    this.#database = database
    this.#log = log
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#running = this.sweep()
    }, EVERY_MS).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopping.abort()
    await this.#running
  }

  async sweep(mostAtOnce = MOST_AT_ONCE): Promise<void> {
    try {
      const database = this.#database
      if (database.isDistributed)
        await eachEnvironment(database, (id) =>
          this.#repeat(mostAtOnce, () => deleteExpiredAnswersOf(database, id, mostAtOnce)),
        )
      else await this.#repeat(mostAtOnce, () => deleteExpiredAnswers(database, mostAtOnce))
    } catch (error) {
      this.#log.warn({ err: error }, 'expired idempotency keys could not be deleted; it is tried again in ten minutes')
    }
  }

  async #repeat(mostAtOnce: number, step: () => Promise<number>): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      if ((await step()) < mostAtOnce) return
      await sleep(PAUSE_MS)
    }
  }
}
