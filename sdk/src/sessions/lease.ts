import { HIDE_SECONDS, RENEW_SECONDS } from '../../../contract/sdk/protocol.ts'

/** Before the lease ends on the server, counted from when the page *sent* its last renewal. */
export const HIDE_AFTER_MS = HIDE_SECONDS * 1000
const RENEW_AFTER_MS = RENEW_SECONDS * 1000
/** Between two tries of a renewal that failed. */
const TRY_AGAIN_MS = 5_000

/** `renewed`: we hold it. `lost`: another browser does. `failed`: no answer. */
export type Renewal = 'renewed' | 'lost' | 'failed'

/** Whether a claim may still be shown, by a clock that only goes forward. */
export class Lease {
  readonly #renew: () => Promise<Renewal>
  readonly #over: () => void
  readonly #now: () => number
  #sentAt: number
  #triedAt: number
  #isRenewing = false

  /** `sentAt` is when the claim was sent. Nobody calls `tick` after `over`. */
  constructor(sentAt: number, renew: () => Promise<Renewal>, over: () => void, now: () => number = monotonicNow) {
    this.#sentAt = sentAt
    this.#triedAt = sentAt
    this.#renew = renew
    this.#over = over
    this.#now = now
  }

  /** Called every second, and at once when a page becomes visible again. Hidden pages do not renew. */
  tick(isVisible: boolean): void {
    const now = this.#now()
    const age = now - this.#sentAt
    const isDue = age >= RENEW_AFTER_MS && now - this.#triedAt >= TRY_AGAIN_MS
    if (age >= HIDE_AFTER_MS) this.#over()
    else if (isVisible && isDue && !this.#isRenewing) void this.#try(now)
  }

  async #try(now: number): Promise<void> {
    this.#triedAt = now
    this.#isRenewing = true
    const renewal = await this.#renew().catch((): Renewal => 'failed')
    this.#isRenewing = false
    if (renewal === 'renewed') this.#sentAt = now
    else if (renewal === 'lost') this.#over()
  }
}

/** The clock on the wall may differ by so much from the monotonic one, in ms, before it counts as a jump. */
const JUMP_MS = 1_000
let ahead = Date.now() - performance.now()
let slept = 0

/**
 * The monotonic clock stands still while some computers sleep; the clock on the wall does not, but may be set, also back. Each of
 * its jumps forward counts as sleep, and none of those back: this clock never goes back or stands still.
 */
export function monotonicNow(): number {
  const now = performance.now()
  const jump = Date.now() - now - ahead
  if (Math.abs(jump) > JUMP_MS) {
    ahead += jump
    slept += Math.max(0, jump)
  }
  return now + slept
}
