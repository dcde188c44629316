import { setTimeout as sleep } from 'node:timers/promises'
import type { Queryable } from '../database/database.ts'
import { eachEnvironment } from '../database/each-environment.ts'
import type { Log } from '../log.ts'
import { Rounds } from '../rounds/rounds.ts'
import { deleteExpiredAnswers, deleteExpiredAnswersOf } from './queries.ts'

const EVERY_MS = 600_000
const MOST_AT_ONCE = 1_000
/** A pause between two steps, so that writes are not delayed. */
const PAUSE_MS = 100

/** Deletes the answers of idempotency keys that are over 24 hours old, in small steps. */
export class IdempotencySweeper {
  readonly #database: Queryable
  readonly #log: Log
  readonly #rounds = new Rounds(EVERY_MS, () => this.sweep())

  constructor(database: Queryable, log: Log) {
    this.#database = database
    this.#log = log
  }

  start(): void {
    this.#rounds.start()
  }

  async stop(): Promise<void> {
    await this.#rounds.stop()
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
    while (!this.#rounds.signal.aborted) {
      if ((await step()) < mostAtOnce) return
      await sleep(PAUSE_MS)
    }
  }
}
