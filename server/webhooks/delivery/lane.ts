import { ASKED_TO_WAIT, type Band, FRESH, LEASED, RETRY } from './bands.ts'
import type { Claimed } from './queries.ts'

const FIRST_LIMIT = 4
const MOST_LIMIT = 32
/** So many failures in a row, and a subscription is failing: one probe at a time. */
const FAILING = 3
const FIRST_PAUSE_MS = 250
/** Shorter than the shortest retry interval (5 s less 20 %), so that a lone retry is never late for it. */
const LONGEST_PAUSE_MS = 4_000
/** Deliveries are claimed this far ahead of what is being sent, so that a claim holds many of them. */
const AHEAD_MS = 100
const MOST_AHEAD = 96
const LATE_BANDS = [LEASED, ASKED_TO_WAIT, RETRY] as const

/** One row of a claim: how many of which band. */
export interface Wish {
  lane: Lane
  band: Band
  count: number
  /** Take what is not due as well, if it was last attempted before this. */
  attemptedBeforeMs: number | undefined
}

/** What this node knows of one subscription: how many sends it bears at once, and what waits for it. */
export class Lane {
  readonly subscriptionId: string
  readonly queue: Claimed[] = []
  readonly due = new Set<Band>()
  inFlight = 0
  lastUsedMs: number
  #limit = FIRST_LIMIT
  #failures = 0
  #probeAtMs = 0
  /** Nothing is claimed ahead for an endpoint that has not shown to be quick. */
  #meanMs = 1_000
  #drainBeforeMs: number | undefined
  #judged = false
  #lateTurn = false

  constructor(subscriptionId: string, nowMs: number) {
    this.subscriptionId = subscriptionId
    this.lastUsedMs = nowMs
  }

  get limit(): number {
    return this.#limit
  }

  get isFailing(): boolean {
    return this.#failures >= FAILING
  }

  /** When it may be probed next, if that is still to come. */
  pausedUntil(nowMs: number): number | undefined {
    return this.isFailing && nowMs < this.#probeAtMs ? this.#probeAtMs : undefined
  }

  get hasWork(): boolean {
    return this.due.size > 0 || this.#drainBeforeMs !== undefined
  }

  hasRoom(nowMs: number): boolean {
    return this.#room(nowMs) >= 1
  }

  wishes(nowMs: number, most: number): Wish[] {
    const room = Math.min(this.#room(nowMs), most)
    if (room < 1) return []
    const late = LATE_BANDS.filter(
      (band) => this.due.has(band) || (band === RETRY && this.#drainBeforeMs !== undefined),
    )
    if (late.length === 0) return this.due.has(FRESH) ? [this.#wish(FRESH, room)] : []
    if (!this.due.has(FRESH))
      return late.slice(0, room).map((band) => this.#wish(band, Math.floor(room / Math.min(late.length, room))))
    return this.#firstAttemptsFirst(room, late)
  }

  /** First attempts go before late retries; an eighth of the room keeps an endless stream of them from starving the rest. */
  #firstAttemptsFirst(room: number, late: readonly Band[]): Wish[] {
    const [band = RETRY] = late
    if (room === 1) {
      // Where there is a single probe, retries take turns with first attempts: either may be what the receiver accepts.
      this.#lateTurn = !this.#lateTurn
      return [this.#wish(this.#lateTurn ? FRESH : band, 1)]
    }
    const share = Math.max(1, Math.floor(room / 8))
    return [this.#wish(FRESH, room - share), this.#wish(band, share)]
  }

  #wish(band: Band, count: number): Wish {
    return { lane: this, band, count, attemptedBeforeMs: band === RETRY ? this.#drainBeforeMs : undefined }
  }

  #room(nowMs: number): number {
    const taken = this.inFlight + this.queue.length
    if (this.isFailing) return taken === 0 && nowMs >= this.#probeAtMs ? 1 : 0
    const wanted = this.#limit + Math.min(MOST_AHEAD, Math.floor((this.#limit * AHEAD_MS) / Math.max(1, this.#meanMs)))
    const room = wanted - taken
    // Small refills would cost a statement each; what is claimed already lasts until the room is worth one.
    return room * 4 >= wanted || taken < this.#limit ? room : 0
  }

  /** What a claim found of a wish: fewer than asked for means that nothing more of it is due. */
  granted({ band, count, attemptedBeforeMs }: Wish, found: number): void {
    if (found >= count) return
    if (attemptedBeforeMs === undefined) this.due.delete(band)
    else if (attemptedBeforeMs === this.#drainBeforeMs) this.#drainBeforeMs = undefined
  }

  /**
   * After an outage, the retries that wait for their long intervals go out now, the few at first that the limit allows.
   * So they do on the first success that this node sees, since it may have been started in the middle of one.
   */
  succeeded(durationMs: number, nowMs: number): void {
    if (this.isFailing || !this.#judged) this.#drainBeforeMs = nowMs
    this.#judged = true
    this.#limit = this.isFailing ? 2 : Math.min(MOST_LIMIT, this.#limit + 1)
    this.#failures = 0
    this.#meanMs += (durationMs - this.#meanMs) / 8
    this.lastUsedMs = nowMs
  }

  failed(nowMs: number): void {
    this.#judged = true
    this.#failures += 1
    this.#limit = this.isFailing ? 1 : Math.max(1, Math.floor(this.#limit / 2))
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (this.#failures - FAILING), LONGEST_PAUSE_MS)
    if (this.isFailing) this.#probeAtMs = nowMs + pauseMs
    this.lastUsedMs = nowMs
  }
}
