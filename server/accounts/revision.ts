import { Batcher } from '../batches/batcher.ts'
import { FirstInFirstOut } from '../batches/waiting-items.ts'
import type { Queryable } from '../database/database.ts'
import { logFailure } from '../database/log-failure.ts'
import type { Log } from '../log.ts'
import { findRevision } from './queries.ts'

const POLL_MS = 400
/** A revoked key stops working within one second: what was not confirmed for this long is not used any more. */
const TRUSTED_MS = 900
const MOST_CACHED = 50_000

/** Polls `control_revision`, a number that every change of an account, an environment, a key or a token raises. */
export class ControlRevision {
  readonly #database: Queryable
  readonly #log: Log
  #confirmedAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #stopped = false
  /** The revision that was seen last. */
  number = -1
  /** Called after another revision was seen. */
  onChange: () => void = () => {}

  constructor(database: Queryable, log: Log) {
    this.#database = database
    this.#log = log
  }

  async start(): Promise<void> {
    await this.#poll()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  get isFresh(): boolean {
    return performance.now() - this.#confirmedAt < TRUSTED_MS
  }

  async #poll(): Promise<void> {
    const asked = performance.now()
    try {
      const number = await findRevision(this.#database)
      const isOther = number !== this.number
      this.number = number
      this.#confirmedAt = asked
      if (isOther) this.onChange()
    } catch (error) {
      logFailure(this.#log, error, {}, 'could not ask for changes of API keys')
    }
    if (!this.#stopped) this.#timer = setTimeout(() => void this.#poll(), POLL_MS).unref()
  }
}

/** What was looked up, and that something was not found, for as long as the revision stays the same. */
export class RevisionCache<Value extends object> {
  readonly #revision: ControlRevision
  readonly #lookups: Batcher<string, Value | null>
  #found = new Map<string, Value | null>()
  #of = -1

  constructor(revision: ControlRevision, find: (keys: string[]) => Promise<ReadonlyMap<string, Value>>) {
    this.#revision = revision
    this.#lookups = new Batcher(async (batch) => {
      const found = await find(batch.map(({ item }) => item))
      for (const { item, resolve } of batch) resolve(found.get(item) ?? null)
    }, new FirstInFirstOut(500))
  }

  /** Another object as soon as what was found may not be right any more. Undefined while it cannot be confirmed. */
  get current(): object | undefined {
    if (!this.#revision.isFresh) return undefined
    if (this.#of !== this.#revision.number) {
      this.#found = new Map()
      this.#of = this.#revision.number
    }
    return this.#found
  }

  /** Synchronously when it is cached, which is nearly always. */
  get(key: string): Value | null | Promise<Value | null> {
    const known = this.current && this.#found.get(key)
    return known === undefined ? this.#lookUp(key) : known
  }

  /**
   * The database may have read the value before a change that the poll has already seen. Such an answer is neither cached
   * nor used: the key may be the one that was revoked.
   */
  async #lookUp(key: string): Promise<Value | null> {
    for (;;) {
      const revision = this.#revision.number
      const value = await this.#lookups.add(key)
      if (revision !== this.#revision.number) continue
      if (this.current && this.#found.size >= MOST_CACHED) this.#found = new Map()
      this.#found.set(key, value)
      return value
    }
  }
}
