import { ASKED_TO_WAIT, type Band, FRESH, LEASED, RETRY } from './bands.ts'
import { Drain } from './drain.ts'
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
/** What is claimed is in memory with its body. */
const MOST_BYTES = 16 * 1024 * 1024
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
  #meanBytes = 1_000
  readonly #drain = new Drain()
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

  /** When it may be probed or drained that may not be now; never, if nothing of that is to come. */
  nextChangeMs(nowMs: number): number {
    const probeMs = this.isFailing && nowMs < this.#probeAtMs ? this.#probeAtMs : Number.POSITIVE_INFINITY
    return Math.min(probeMs, this.#drain.beginsAt(nowMs) ?? Number.POSITIVE_INFINITY)
  }

  hasWork(nowMs: number): boolean {
    return this.due.size > 0 || this.#drain.attemptedBefore(nowMs) !== undefined
  }

  hasRoom(nowMs: number): boolean {
    return this.#room(nowMs) >= 1
  }

  wishes(nowMs: number, most: number): Wish[] {
    const room = Math.min(this.#room(nowMs), most)
    if (room < 1) return []
    const draining = this.#drain.attemptedBefore(nowMs)
    const late = LATE_BANDS.filter((band) => this.due.has(band) || (band === RETRY && draining !== undefined))
    if (late.length === 0) return this.due.has(FRESH) ? [this.#wish(FRESH, room, nowMs)] : []
    if (!this.due.has(FRESH))
      return late.slice(0, room).map((band) => this.#wish(band, Math.floor(room / Math.min(late.length, room)), nowMs))
    return this.#firstAttemptsFirst(room, late, nowMs)
  }

  /** First attempts go before late retries; an eighth of the room keeps an endless stream of them from starving the rest. */
  #firstAttemptsFirst(room: number, late: readonly Band[], nowMs: number): Wish[] {
    const [band = RETRY] = late
    if (room === 1) {
      // Where there is a single probe, retries take turns with first attempts: either may be what the receiver accepts.
      this.#lateTurn = !this.#lateTurn
      return [this.#wish(this.#lateTurn ? FRESH : band, 1, nowMs)]
    }
    const share = Math.max(1, Math.floor(room / 8))
    return [this.#wish(FRESH, room - share, nowMs), this.#wish(band, share, nowMs)]
  }

  #wish(band: Band, count: number, nowMs: number): Wish {
    const attemptedBeforeMs = band === RETRY ? this.#drain.attemptedBefore(nowMs) : undefined
    return { lane: this, band, count, attemptedBeforeMs }
  }

  #room(nowMs: number): number {
    const taken = this.inFlight + this.queue.length
    if (this.isFailing) return taken === 0 && nowMs >= this.#probeAtMs ? 1 : 0
    const ahead = Math.min(MOST_AHEAD, Math.floor((this.#limit * AHEAD_MS) / Math.max(1, this.#meanMs)))
    const wanted = Math.min(this.#limit + ahead, Math.max(1, Math.floor(MOST_BYTES / this.#meanBytes)))
    const room = wanted - taken
    // Small refills would cost a statement each; what is claimed already lasts until the room is worth one.
    return room * 4 >= wanted || taken < this.#limit ? room : 0
  }

  /** What a claim found of a wish: fewer than asked for means that nothing more of it is due. */
  granted({ band, count, attemptedBeforeMs }: Wish, found: number): void {
    if (found >= count) return
    if (attemptedBeforeMs === undefined) this.due.delete(band)
    else this.#drain.finished(attemptedBeforeMs)
  }

  enqueue(claimed: Claimed): void {
    this.queue.push(claimed)
    this.#meanBytes += (claimed.body.length - this.#meanBytes) / 8
  }

  /**
   * After an outage, the retries that wait for their long intervals go out now, the few at first that the limit allows.
   * So they do on the first success that this node sees, since it may have been started in the middle of one.
   */
  succeeded(durationMs: number, nowMs: number): void {
    if (this.isFailing || !this.#judged) this.#drain.begin(nowMs)
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
