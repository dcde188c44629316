import type { EnvironmentId } from '../../database/database.ts'

export interface RoundTimerOptions {
  now: () => number
  /** Whether a round of this environment is not over: it can have no other meanwhile. */
  isBusy: (environmentId: EnvironmentId) => boolean
  /** How often all environments are checked, whatever is registered. */
  pollMs: number
}

/**
 * Says when to start rounds. Other parts register when an environment must be checked. Rounds start at the earliest of these
 * times, and not before the pause set by the last start. What is registered for a busy environment counts when it is not
 * busy any more.
 */
export class RoundTimer {
  readonly #now: () => number
  readonly #isBusy: (environmentId: EnvironmentId) => boolean
  readonly #pollMs: number
  readonly #checkAtMs = new Map<EnvironmentId, number>()
  /** These two by `performance.now()`: the clock may be set. */
  #pollAt = Number.NEGATIVE_INFINITY
  #earliest = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #timerAt = Number.POSITIVE_INFINITY
  #startRounds: (() => void) | undefined

  constructor({ now, isBusy, pollMs }: RoundTimerOptions) {
    this.#now = now
    this.#isBusy = isBusy
    this.#pollMs = pollMs
  }

  start(startRounds: () => void): void {
    this.#startRounds = startRounds
    this.#planAt(this.#now())
  }

  stop(): void {
    this.#startRounds = undefined
    clearTimeout(this.#timer)
  }

  /** The earliest registered time of an environment counts. */
  checkAt(environmentId: EnvironmentId, atMs: number): void {
    if (atMs >= (this.#checkAtMs.get(environmentId) ?? Number.POSITIVE_INFINITY)) return
    this.#checkAtMs.set(environmentId, atMs)
    if (!this.#isBusy(environmentId)) this.#planAt(atMs)
  }

  /** An endpoint with due deliveries has room again: a round may claim without a check of the environment. */
  claimSoon(environmentId: EnvironmentId): void {
    if (!this.#isBusy(environmentId)) this.#planAt(this.#now())
  }

  /** The environment is not busy any more. */
  resume(environmentId: EnvironmentId): void {
    this.#planAt(this.#checkAtMs.get(environmentId) ?? Number.POSITIVE_INFINITY)
  }

  /** The next rounds start no earlier than this. */
  waitAtLeast(ms: number): void {
    this.#earliest = performance.now() + ms
  }

  /** True once in `pollMs`. */
  takePoll(): boolean {
    if (performance.now() < this.#pollAt) return false
    this.#pollAt = performance.now() + this.#pollMs
    return true
  }

  /** Removes and returns the environments that are due and not busy. */
  takeDue(): EnvironmentId[] {
    const nowMs = this.#now()
    const due = this.#idle().flatMap(([environmentId, atMs]) => (atMs <= nowMs ? [environmentId] : []))
    for (const environmentId of due) this.#checkAtMs.delete(environmentId)
    return due
  }

  #idle(): [EnvironmentId, number][] {
    return [...this.#checkAtMs].filter(([environmentId]) => !this.#isBusy(environmentId))
  }

  #planAt(atMs: number): void {
    if (!this.#startRounds || atMs === Number.POSITIVE_INFINITY) return
    const at = Math.max(performance.now() + atMs - this.#now(), this.#earliest)
    if (at >= this.#timerAt) return
    clearTimeout(this.#timer)
    this.#timerAt = at
    this.#timer = setTimeout(() => this.#start(), Math.max(0, at - performance.now()))
  }

  #start(): void {
    this.#timerAt = Number.POSITIVE_INFINITY
    this.#startRounds?.()
    const pollAtMs = this.#now() + this.#pollAt - performance.now()
    this.#planAt(Math.min(pollAtMs, ...this.#idle().map(([, atMs]) => atMs)))
  }
}
