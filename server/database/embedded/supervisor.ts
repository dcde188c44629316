import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Log } from '../../log.ts'
import type { DataFolder } from './data-folder.ts'
import { boundLogFile } from './log-file.ts'
import { findPostmaster, type Postmaster, signalTo } from './postmaster.ts'

const LONGEST_PAUSE_MS = 5_000
const TICK_MS = 5_000
/** Longer than our own shutdown takes: a service manager may have sent SIGTERM to PostgreSQL together with us. */
const STOPPING_TICKS = 4

/** A PostgreSQL that this server supervises. Its connection ends when the PostgreSQL ends. */
export interface SupervisedPostgres {
  postmaster: Postmaster
  client: Client
}

/**
 * Restarts PostgreSQL when it dies under a running server. The end of the connection that holds our lock signals its death,
 * for a PostgreSQL that was started here and for an adopted one.
 */
export class Supervisor {
  readonly #log: Log
  readonly #bringUp: (signal: AbortSignal) => Promise<SupervisedPostgres>
  readonly #ending = new AbortController()
  readonly #timer: NodeJS.Timeout
  #current: SupervisedPostgres
  #recovery = Promise.resolve()

  constructor(
    dataFolder: DataFolder,
    first: SupervisedPostgres,
    log: Log,
    bringUp: (signal: AbortSignal) => Promise<SupervisedPostgres>,
  ) {
    this.#log = log
    this.#bringUp = bringUp
    this.#current = first
    this.#watch()
    this.#timer = setInterval(maintain(dataFolder, log), TICK_MS).unref()
  }

  get pid(): number {
    return this.#current.postmaster.pid
  }

  /** The lock is kept until PostgreSQL is down: a server that waits for the lock must not get a PostgreSQL that is ending. */
  async end(stop: () => Promise<void>): Promise<void> {
    this.#ending.abort()
    clearInterval(this.#timer)
    const before = this.#current
    await Promise.all([stop(), this.#recovery])
    // A recovery may have finished after the first stop.
    if (this.#current !== before) await stop()
    await Promise.all([before, this.#current].map(({ client }) => client.end().catch(() => undefined)))
  }

  #watch(): void {
    this.#current.client.once('end', () => {
      if (!this.#ending.signal.aborted) this.#recovery = this.#recover()
    })
  }

  async #recover(): Promise<void> {
    const { signal } = this.#ending
    this.#log.warn({ pid: this.pid }, 'the connection to the embedded PostgreSQL broke, bringing it back')
    for (let pauseMs = 100; !signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        this.#current = await this.#bringUp(signal)
        this.#watch()
        this.#log.info({ pid: this.pid }, 'the embedded PostgreSQL is back')
        return
      } catch (error) {
        if (!signal.aborted) this.#log.error({ error: String(error) }, 'the embedded PostgreSQL does not come back')
      }
      await delay(pauseMs, undefined, { signal }).catch(() => undefined)
    }
  }
}

/**
 * Bounds the log file, and ends a PostgreSQL that got SIGTERM: it waits for its clients and accepts no new ones, and our
 * connections would never end.
 */
function maintain(dataFolder: DataFolder, log: Log): () => void {
  let stoppingTicks = 0
  const tick = async () => {
    await boundLogFile(dataFolder.logFile)
    const postmaster = await findPostmaster(dataFolder)
    stoppingTicks = postmaster?.status === 'stopping' ? stoppingTicks + 1 : 0
    if (postmaster && stoppingTicks === STOPPING_TICKS) signalTo(postmaster.pid, 'SIGINT')
  }
  return () => {
    tick().catch((error) =>
      log.warn({ error: String(error) }, 'the maintenance of the embedded PostgreSQL failed; it is tried again'),
    )
  }
}
