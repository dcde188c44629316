/**
 * What is done at most once in a while. By the monotonic clock: one of the machine that is set back would hold it up for as
 * long.
 */
export class Every {
  readonly #ms: number
  #last = Number.NEGATIVE_INFINITY

  constructor(ms: number) {
    this.#ms = ms
  }

  /** The first time, and then when the time has passed since the last yes. */
  isDue(): boolean {
    const now = performance.now()
    if (now - this.#last < this.#ms) return false
    this.#last = now
    return true
  }
}
