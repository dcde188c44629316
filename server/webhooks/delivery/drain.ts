const FIRST_GAP_MS = 10_000
const LONGEST_GAP_MS = 3_600_000

/**
 * The pulling forward of waiting retries once a receiver has recovered: of all that were last attempted before that.
 *
 * A receiver that accepts most notifications and always refuses a few looks like one that fails and recovers, again and
 * again. Drains that follow each other closely are therefore spaced, twice as far each time: the few that are refused
 * get some attempts more than their schedule has, and not one with every success of the others.
 */
export class Drain {
  #attemptedBeforeMs: number | undefined
  #beginsAtMs = Number.NEGATIVE_INFINITY
  #gapMs = FIRST_GAP_MS

  begin(nowMs: number): void {
    if (this.#attemptedBeforeMs === undefined) {
      const sinceLastMs = nowMs - this.#beginsAtMs
      const nextMs = this.#beginsAtMs + this.#gapMs
      this.#gapMs = sinceLastMs > 4 * this.#gapMs ? FIRST_GAP_MS : Math.min(2 * this.#gapMs, LONGEST_GAP_MS)
      this.#beginsAtMs = Math.max(nowMs, nextMs)
    }
    this.#attemptedBeforeMs = nowMs
  }

  /** Set while it goes on. */
  attemptedBefore(nowMs: number): number | undefined {
    return nowMs >= this.#beginsAtMs ? this.#attemptedBeforeMs : undefined
  }

  /** Set while it waits for its time. */
  beginsAt(nowMs: number): number | undefined {
    return this.#attemptedBeforeMs !== undefined && nowMs < this.#beginsAtMs ? this.#beginsAtMs : undefined
  }

  /** Nothing is left that was attempted before this; a recovery since then goes on. */
  finished(attemptedBeforeMs: number): void {
    if (attemptedBeforeMs === this.#attemptedBeforeMs) this.#attemptedBeforeMs = undefined
  }
}
