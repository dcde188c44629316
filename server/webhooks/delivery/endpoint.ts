import type { ClaimedDelivery } from './claim-queries.ts'
import { RetryPullForward } from './pull-forward.ts'
import { type DeliveryState, HELD, RETRYING, SENDING, WAITING } from './states.ts'

const FIRST_LIMIT = 4
const MOST_LIMIT = 32
/** After so many failures in a row an endpoint is probed: it gets one delivery at a time, with pauses. */
export const PROBED_AFTER = 3
const FIRST_PAUSE_MS = 250
/** Shorter than the shortest retry interval (5 s less 20 %), so that the pause never delays a single retry. */
const LONGEST_PAUSE_MS = 4_000
/** Deliveries are claimed this far ahead of what is being sent, so that a claim holds many of them. */
const AHEAD_MS = 100
const MOST_AHEAD = 96
/** Claimed deliveries are in memory with their bodies. */
const MOST_BYTES = 16 * 1024 * 1024
/** The most deliveries that are sent at once beyond the limit. */
const MOST_AT_ONCE = 4
const AFTER_FIRST_ATTEMPTS = [SENDING, HELD, RETRYING] as const

/** How many deliveries of one endpoint and one state a claim may take. */
export interface ClaimQuota {
  endpoint: EndpointState
  state: DeliveryState
  count: number
  /** Also those that are not due, if they were last attempted before this. */
  attemptedBeforeMs: number | undefined
  /** Only those that are sent at once. */
  isAtOnce?: boolean
}

/** The state of one endpoint in this process: what is due, and how many concurrent sends it may have. */
export class EndpointState {
  readonly subscriptionId: string
  /** Claimed and not being sent yet. */
  readonly queue: ClaimedDelivery[] = []
  /** The states in which deliveries are due. */
  readonly dueStates = new Set<DeliveryState>()
  /** How often its subscription was changed: what was claimed before a change is not sent. */
  changes = 0
  inFlight = 0
  /** Of those in flight, the ones that are sent at once. */
  inFlightAtOnce = 0
  lastUsedMs: number
  #limit = FIRST_LIMIT
  #failures = 0
  #probeAtMs = 0
  /** Starts high, so that nothing is claimed in advance for an endpoint of unknown speed. */
  #meanMs = 1_000
  #meanBytes = 1_000
  readonly #pullForward = new RetryPullForward()
  #hasOutcome = false
  #isRetryNext = false
  /** The states in which a delivery is to be sent at once. */
  readonly #atOnceStates = new Set<DeliveryState>()

  constructor(subscriptionId: string, nowMs: number) {
    this.subscriptionId = subscriptionId
    this.lastUsedMs = nowMs
  }

  get limit(): number {
    return this.#limit
  }

  /** Of the bodies of its deliveries. */
  get meanBytes(): number {
    return this.#meanBytes
  }

  get isProbed(): boolean {
    return this.#failures >= PROBED_AFTER
  }

  /** When the next probe or pull-forward may start; infinity when there is none. */
  nextChangeMs(nowMs: number): number {
    const probeMs = this.isProbed && this.#pauses(nowMs) ? this.#probeAtMs : Number.POSITIVE_INFINITY
    return Math.min(probeMs, this.#pullForward.startsAtMs(nowMs) ?? Number.POSITIVE_INFINITY)
  }

  noteDue(state: DeliveryState, isAtOnce: boolean): void {
    this.dueStates.add(state)
    if (isAtOnce) this.#atOnceStates.add(state)
  }

  forgetDue(): void {
    this.dueStates.clear()
    this.#atOnceStates.clear()
  }

  hasDue(nowMs: number): boolean {
    return this.dueStates.size + this.#atOnceStates.size > 0 || this.#pullForward.attemptedBeforeMs(nowMs) !== undefined
  }

  canClaim(nowMs: number): boolean {
    return this.hasDue(nowMs) && (this.#room(nowMs) >= 1 || this.#quotasAtOnce().length > 0)
  }

  quotas(nowMs: number, most: number): ClaimQuota[] {
    const atOnce = this.#quotasAtOnce()
    if (atOnce.length > 0) return atOnce
    const room = Math.min(this.#room(nowMs), most)
    if (room < 1) return []
    const isPullingForward = this.#pullForward.attemptedBeforeMs(nowMs) !== undefined
    const retries = AFTER_FIRST_ATTEMPTS.filter(
      (state) => this.dueStates.has(state) || (state === RETRYING && isPullingForward),
    )
    if (retries.length === 0) return this.dueStates.has(WAITING) ? [this.#quota(WAITING, room, nowMs)] : []
    if (this.dueStates.has(WAITING)) return this.#firstAttemptsFirst(room, retries, nowMs)
    const share = Math.floor(room / Math.min(retries.length, room))
    return retries.slice(0, room).map((state) => this.#quota(state, share, nowMs))
  }

  /** What a person waits for goes first and alone. The next round, which follows at once, takes the others. */
  #quotasAtOnce(): ClaimQuota[] {
    const [state] = this.#atOnceStates
    const queued = this.queue.filter(({ isAtOnce }) => isAtOnce).length
    const count = MOST_AT_ONCE - this.inFlightAtOnce - queued
    if (state === undefined || count < 1) return []
    return [{ endpoint: this, state, count, attemptedBeforeMs: undefined, isAtOnce: true }]
  }

  /** First attempts go before retries. An eighth of the room is kept for retries, so that they are not starved. */
  #firstAttemptsFirst(room: number, retries: readonly DeliveryState[], nowMs: number): ClaimQuota[] {
    const [state = RETRYING] = retries
    if (room === 1) {
      // With a single probe, first attempts and retries alternate: either may be what the receiver accepts.
      this.#isRetryNext = !this.#isRetryNext
      return [this.#quota(this.#isRetryNext ? WAITING : state, 1, nowMs)]
    }
    const share = Math.max(1, Math.floor(room / 8))
    return [this.#quota(WAITING, room - share, nowMs), this.#quota(state, share, nowMs)]
  }

  #quota(state: DeliveryState, count: number, nowMs: number): ClaimQuota {
    const attemptedBeforeMs = state === RETRYING ? this.#pullForward.attemptedBeforeMs(nowMs) : undefined
    return { endpoint: this, state, count, attemptedBeforeMs }
  }

  /** A pause that ends later than any can was begun by a clock that was set back since. */
  #pauses(nowMs: number): boolean {
    return nowMs < this.#probeAtMs && this.#probeAtMs - nowMs <= LONGEST_PAUSE_MS
  }

  #room(nowMs: number): number {
    const taken = this.inFlight + this.queue.length
    if (this.isProbed) return taken === 0 && !this.#pauses(nowMs) ? 1 : 0
    const ahead = Math.min(MOST_AHEAD, Math.floor((this.#limit * AHEAD_MS) / Math.max(1, this.#meanMs)))
    const wanted = Math.min(this.#limit + ahead, Math.max(1, Math.floor(MOST_BYTES / this.#meanBytes)))
    const room = wanted - taken
    // A small refill would cost a statement. The queue lasts until the room is large enough.
    return room * 4 >= wanted || taken < this.#limit ? room : 0
  }

  /** A claim that found fewer than its quota has taken all that was due. */
  onClaimed({ state, count, attemptedBeforeMs, isAtOnce }: ClaimQuota, found: number): void {
    if (found >= count) return
    if (isAtOnce) this.#atOnceStates.delete(state)
    else if (attemptedBeforeMs === undefined) this.dueStates.delete(state)
    else this.#pullForward.finish(attemptedBeforeMs)
  }

  enqueue(claimed: ClaimedDelivery): void {
    if (claimed.isAtOnce) this.queue.unshift(claimed)
    else this.queue.push(claimed)
    this.#meanBytes += (claimed.body.length - this.#meanBytes) / 8
  }

  /**
   * After an outage, the retries that wait for their long intervals are sent now, a few at first as the limit allows. The
   * first success that this process sees counts as the end of one: the process may have been started in the middle of it.
   */
  onSuccess(durationMs: number, nowMs: number): void {
    if (this.isProbed || !this.#hasOutcome) this.#pullForward.start(nowMs)
    this.#hasOutcome = true
    this.#limit = this.isProbed ? 2 : Math.min(MOST_LIMIT, this.#limit + 1)
    this.#failures = 0
    this.#meanMs += (durationMs - this.#meanMs) / 8
    this.lastUsedMs = nowMs
  }

  onFailure(nowMs: number): void {
    this.#hasOutcome = true
    this.#failures += 1
    this.#limit = this.isProbed ? 1 : Math.max(1, Math.floor(this.#limit / 2))
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (this.#failures - PROBED_AFTER), LONGEST_PAUSE_MS)
    if (this.isProbed) this.#probeAtMs = nowMs + pauseMs
    this.lastUsedMs = nowMs
  }
}
