/** Rounds begin at least this far apart: under load, each then claims enough to be worth its statements. */
const ROUND_MS = 40
/** While requests wait for the processor, deliveries take only so much of it: requests go first. */
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
    // A measurement that began long ago says nothing about a burst that has just begun.
    const isOutdated = active + idle > OUTDATED_MS
    // Asked each time: at this moment there may be no request, between those that were answered and their next ones.
    const requestsWaited = this.#requestsWaited()
    return requestsWaited && (utilization > PRESSED_UTILIZATION || isOutdated)
  }
}
