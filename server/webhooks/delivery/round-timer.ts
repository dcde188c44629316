import type { EnvironmentId } from '../../database/database.ts'

export interface RoundTimerOptions {
  now: () => number
  /** How often all environments are checked, whatever is registered. */
  pollMs: number
}

/**
 * Starts the rounds of the delivery. Other parts register when an environment must be checked. A round starts at the
 * earliest of these times, one at a time, and not before the pause set by the last round.
 */
export class RoundTimer {
  readonly #now: () => number
  readonly #pollMs: number
  readonly #checkAtMs = new Map<EnvironmentId, number>()
  /** These two by `performance.now()`: the clock may be set. */
  #pollAt = Number.NEGATIVE_INFINITY
  #earliest = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #timerAt = Number.POSITIVE_INFINITY
  #runRound: (() => Promise<boolean>) | undefined
  #round: Promise<void> | undefined

  constructor({ now, pollMs }: RoundTimerOptions) {
    this.#now = now
    this.#pollMs = pollMs
  }

  /** `runRound` says whether another round should follow as soon as it may. */
  start(runRound: () => Promise<boolean>): void {
    this.#runRound = runRound
    this.#planAt(this.#now())
  }

  /** Resolves when no round is running and none will begin. */
  async stop(): Promise<void> {
    this.#runRound = undefined
    clearTimeout(this.#timer)
    await this.#round
  }

  /** The earliest registered time of an environment counts. */
  checkAt(environmentId: EnvironmentId, atMs: number): void {
    if (atMs >= (this.#checkAtMs.get(environmentId) ?? Number.POSITIVE_INFINITY)) return
    this.#checkAtMs.set(environmentId, atMs)
    this.#planAt(atMs)
  }

  /** An endpoint with due deliveries has room again: a round may claim without a check of the environment. */
  claimSoon(): void {
    this.#planAt(this.#now())
  }

  /** The next round begins no earlier than this. */
  waitAtLeast(ms: number): void {
    this.#earliest = performance.now() + ms
  }

  /** True once in `pollMs`. */
  takePoll(): boolean {
    if (performance.now() < this.#pollAt) return false
    this.#pollAt = performance.now() + this.#pollMs
    return true
  }

  /** Removes and returns the environments that are due. */
  takeDue(): EnvironmentId[] {
    const nowMs = this.#now()
    const due = [...this.#checkAtMs].filter(([, atMs]) => atMs <= nowMs).map(([environmentId]) => environmentId)
    for (const environmentId of due) this.#checkAtMs.delete(environmentId)
    return due
  }

  #planAt(atMs: number): void {
    if (!this.#runRound || this.#round) return
    const at = Math.max(performance.now() + atMs - this.#now(), this.#earliest)
    if (at >= this.#timerAt) return
    clearTimeout(this.#timer)
    this.#timerAt = at
    this.#timer = setTimeout(() => this.#startRound(), Math.max(0, at - performance.now()))
  }

  #startRound(): void {
    this.#timerAt = Number.POSITIVE_INFINITY
    this.#round = this.#runRound?.().then((again) => {
      this.#round = undefined
      const pollAtMs = this.#now() + this.#pollAt - performance.now()
      this.#planAt(again ? this.#now() : Math.min(pollAtMs, ...this.#checkAtMs.values()))
    })
  }
}
