/** A lease is 60 s on the server. A page hides what it shows before that, counted from when it *sent* its last renewal. */
export const HIDE_AFTER_MS = 50_000
const RENEW_AFTER_MS = 20_000
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
  #isOver = false

  /** `sentAt` is when the claim was sent. */
  constructor(sentAt: number, renew: () => Promise<Renewal>, over: () => void, now: () => number = monotonicNow) {
    this.#sentAt = sentAt
    this.#triedAt = sentAt
    this.#renew = renew
    this.#over = over
    this.#now = now
  }

  /** Called every second, and at once when a page becomes visible again. Hidden pages do not renew. */
  tick(isVisible: boolean): void {
    if (this.#isOver) return
    const now = this.#now()
    if (now - this.#sentAt >= HIDE_AFTER_MS) this.#end()
    const isDue = now - this.#sentAt >= RENEW_AFTER_MS && now - this.#triedAt >= TRY_AGAIN_MS
    if (isVisible && isDue && !this.#isRenewing && !this.#isOver) void this.#try(now)
  }

  async #try(now: number): Promise<void> {
    this.#triedAt = now
    this.#isRenewing = true
    const renewal = await this.#renew().catch((): Renewal => 'failed')
    this.#isRenewing = false
    if (renewal === 'renewed') this.#sentAt = now
    else if (renewal === 'lost') this.#end()
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#over()
  }
}

const wallStart = Date.now()
const start = performance.now()

/** The monotonic clock stands still while some computers sleep; the clock on the wall does not. The later one counts. */
export function monotonicNow(): number {
  return Math.max(performance.now() - start, Date.now() - wallStart)
}
