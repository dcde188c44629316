import { tuning } from '../../tuning.ts'

const { gapMs, mostPerClaim, pressedGapMs, mostPerPressedClaim, pressedUtilization } = tuning.deliveryRounds
const OUTDATED_MS = 2 * pressedGapMs

/** How often the rounds begin, and how much each may claim: less while requests wait. */
export class RoundPace {
  readonly #requestsWaited: () => boolean
  #utilization = performance.eventLoopUtilization()

  /** `requestsWaited` says whether requests have waited since it was last asked. */
  constructor(requestsWaited: () => boolean) {
    this.#requestsWaited = requestsWaited
  }

  next(): { gapMs: number; mostPerClaim: number } {
    return this.#isPressed() ? { gapMs: pressedGapMs, mostPerClaim: mostPerPressedClaim } : { gapMs, mostPerClaim }
  }

  #isPressed(): boolean {
    const before = this.#utilization
    this.#utilization = performance.eventLoopUtilization()
    const { utilization, active, idle } = performance.eventLoopUtilization(this.#utilization, before)
    // A measurement over a long time says nothing about a burst that has just started.
    const isOutdated = active + idle > OUTDATED_MS
    // Read in every round: right now there may be no request, between the answered ones and the next.
    const requestsWaited = this.#requestsWaited()
    return requestsWaited && (utilization > pressedUtilization || isOutdated)
  }
}
