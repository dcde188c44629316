/** The least time between rounds: under load, each round then claims enough to be worth its statements. */
const ROUND_MS = 40
/** The same while requests wait for the processor: requests have priority. */
const PRESSED_ROUND_MS = 100
const MOST_PER_CLAIM = 500
const MOST_PER_PRESSED_CLAIM = 40
const PRESSED_UTILIZATION = 0.7
const OUTDATED_MS = 2 * PRESSED_ROUND_MS

/** How often the rounds begin, and how much each may claim: less while requests wait. */
export class RoundPace {
  readonly #requestsWaited: () => boolean
  #utilization = performance.eventLoopUtilization()

  /** `requestsWaited` says whether requests have waited since it was last asked. */
  constructor(requestsWaited: () => boolean) {
    this.#requestsWaited = requestsWaited
  }

  next(): { gapMs: number; mostPerClaim: number } {
    return this.#isPressed()
      ? { gapMs: PRESSED_ROUND_MS, mostPerClaim: MOST_PER_PRESSED_CLAIM }
      : { gapMs: ROUND_MS, mostPerClaim: MOST_PER_CLAIM }
  }

  #isPressed(): boolean {
    const before = this.#utilization
    this.#utilization = performance.eventLoopUtilization()
    const { utilization, active, idle } = performance.eventLoopUtilization(this.#utilization, before)
    // A measurement over a long time says nothing about a burst that has just started.
    const isOutdated = active + idle > OUTDATED_MS
    // Read in every round: right now there may be no request, between the answered ones and the next.
    const requestsWaited = this.#requestsWaited()
    return requestsWaited && (utilization > PRESSED_UTILIZATION || isOutdated)
  }
}
