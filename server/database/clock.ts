import type { Queryable } from './queryable.ts'

/** A clock that moves by more than this against the monotonic clock of the process was set, and not only adjusted. */
export const SET_MS = 2_000

/** For how long a clock that was set forward is doubted. */
const DOUBTED_MS = 86_400_000

export interface ClockReading {
  /** How far the clock of the database was set since the last reading; 0 when it only runs. */
  setMs: number
  /** How far the clock of this machine is ahead of that of the database. */
  aheadMs: number
}

/**
 * The time of the database, which all nodes share. Between two readings the monotonic clock of this process continues it, so
 * a change of the clock of this machine does not matter. Before the first reading it is the time of this machine. It goes back
 * only when the clock of the database was set: a correction by less makes it stand still, so what follows has no earlier time.
 */
export class DatabaseClock {
  #ms: number
  #at = performance.now()
  #shownMs = 0
  #reading: ClockReading | undefined
  #doubted = { ms: 0, until: 0 }

  constructor(startMs = Date.now()) {
    this.#ms = startMs
  }

  readonly now = (): number => {
    this.#shownMs = Math.max(this.#shownMs, Math.floor(this.#ms + performance.now() - this.#at))
    return this.#shownMs
  }

  /** The last reading; undefined before the first. */
  get reading(): ClockReading | undefined {
    return this.#reading
  }

  /**
   * How far the clock of the database was set forward in the last day, and not back since; at the first reading, how far it is
   * ahead of this machine. What ends for good at a time waits for that much longer, since the clock may be set back.
   */
  get doubtedMs(): number {
    return performance.now() < this.#doubted.until ? this.#doubted.ms : 0
  }

  /** The answer was made at some time of the round trip. The clock is changed only when it shows a time outside of that. */
  async read(db: Pick<Queryable, 'query'>): Promise<ClockReading> {
    const sentAt = performance.now()
    const [row] = await db.query<{ ms: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
      [],
    )
    const answeredAt = performance.now()
    const least = row?.ms ?? this.now()
    const shown = this.#ms + answeredAt - this.#at
    const right = Math.min(Math.max(shown, least), least + answeredAt - sentAt)
    const movedMs = Math.round(right - shown)
    this.#ms = right
    this.#at = answeredAt
    const aheadMs = Math.round(Date.now() - right)
    const isSet = Math.abs(movedMs) > SET_MS
    if (isSet) this.#shownMs = 0
    const setMs = this.#reading && isSet ? movedMs : 0
    if (this.#reading) this.#doubt(setMs)
    else if (aheadMs < -SET_MS) this.#doubt(-aheadMs)
    this.#reading = { setMs, aheadMs }
    return this.#reading
  }

  #doubt(setMs: number): void {
    const until = setMs > 0 ? performance.now() + DOUBTED_MS : this.#doubted.until
    this.#doubted = { ms: Math.max(0, this.doubtedMs + setMs), until }
  }
}

/** The clock of the database, for a command: one reading lasts. */
export async function readClock(db: Pick<Queryable, 'query'>): Promise<() => number> {
  const clock = new DatabaseClock()
  await clock.read(db)
  return clock.now
}
