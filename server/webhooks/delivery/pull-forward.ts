const FIRST_GAP_MS = 10_000
const LONGEST_GAP_MS = 3_600_000

/**
 * After an endpoint has recovered, its waiting retries are claimed before they are due: all that were last attempted
 * before the recovery.
 *
 * A receiver that accepts most notifications and always refuses a few fails and recovers repeatedly. A pull-forward shortly
 * after the last one therefore starts later, with twice the gap each time: the refused ones get a few attempts more than
 * their schedule has, and not one with every success of the others.
 */
export class RetryPullForward {
  #attemptedBeforeMs: number | undefined
  #startsAtMs = Number.NEGATIVE_INFINITY
  #gapMs = FIRST_GAP_MS

  start(nowMs: number): void {
    if (this.#attemptedBeforeMs === undefined) {
      const sinceLastMs = nowMs - this.#startsAtMs
      const nextMs = this.#startsAtMs + this.#gapMs
      this.#gapMs = sinceLastMs > 4 * this.#gapMs ? FIRST_GAP_MS : Math.min(2 * this.#gapMs, LONGEST_GAP_MS)
      this.#startsAtMs = Math.max(nowMs, nextMs)
    }
    this.#attemptedBeforeMs = nowMs
  }

  /** Defined while retries are pulled forward: those that were attempted before this. */
  attemptedBeforeMs(nowMs: number): number | undefined {
    return this.#waits(nowMs) ? undefined : this.#attemptedBeforeMs
  }

  /** Defined while it waits for its start. */
  startsAtMs(nowMs: number): number | undefined {
    return this.#attemptedBeforeMs !== undefined && this.#waits(nowMs) ? this.#startsAtMs : undefined
  }

  /** A start that is later than any can be was planned by a clock that was set back since. */
  #waits(nowMs: number): boolean {
    return nowMs < this.#startsAtMs && this.#startsAtMs - nowMs <= LONGEST_GAP_MS
  }

  /** All deliveries attempted before this are claimed. When the endpoint has recovered again since then, it continues. */
  finish(attemptedBeforeMs: number): void {
    if (attemptedBeforeMs === this.#attemptedBeforeMs) this.#attemptedBeforeMs = undefined
  }
}
