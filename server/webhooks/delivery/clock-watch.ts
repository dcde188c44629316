import { type DatabaseClock, SET_MS } from '../../database/clock.ts'
import type { Database } from '../../database/database.ts'
import type { Log } from '../../log.ts'

/** Also without a sign: the clock may have been set while no node was running. */
const SEARCH_MS = 600_000

/** Reads the clock of the database, says what is wrong with it, and when to search for deliveries of a wrong clock. */
export class ClockWatch {
  readonly #clock: DatabaseClock
  readonly #database: Database
  readonly #log: Log
  #wasAhead = false
  #searchAt = Number.NEGATIVE_INFINITY

  constructor(clock: DatabaseClock, database: Database, log: Log) {
    this.#clock = clock
    this.#database = database
    this.#log = log
  }

  /** Whether to search. */
  async check(): Promise<boolean> {
    const { setMs, aheadMs } = await this.#clock.read(this.#database)
    if (setMs !== 0) this.#log.warn({ seconds: setMs / 1_000 }, 'the clock of the database was set')
    this.#noteAhead(aheadMs)
    if (setMs === 0 && performance.now() < this.#searchAt) return false
    this.#searchAt = performance.now() + SEARCH_MS
    return true
  }

  /** Logged when it begins and when it ends. */
  #noteAhead(aheadMs: number): void {
    const isAhead = Math.abs(aheadMs) > SET_MS
    if (isAhead === this.#wasAhead) return
    this.#wasAhead = isAhead
    if (isAhead)
      this.#log.warn(
        { seconds: aheadMs / 1_000 },
        'the clock of this machine is ahead of that of the database by these seconds; set it right',
      )
    else this.#log.info({}, 'the clock of this machine is that of the database again')
  }
}
