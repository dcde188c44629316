import { monotonicNow } from './lease.ts'

/** A page that replaces its body removes us now and then. More often than so, it does so on purpose. */
const AT_ONCE = 4
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
/** What has stayed for so long was not removed because of what it is. */
const CALM_MS = 10_000

/** When something that the page has removed is drawn again: at once a few times, then later each time, so that nobody fights. */
export class Removals {
  readonly #now: () => number
  #count = 0
  #drawnAt = 0
  #goneAt: number | null = null

  constructor(now: () => number = monotonicNow) {
    this.#now = now
  }

  /** Asked while it is away: whether it is drawn now. */
  mayReturn(): boolean {
    const now = this.#now()
    this.#goneAt ??= now
    if (this.#goneAt - this.#drawnAt > CALM_MS) this.#count = 0
    const pause = this.#count < AT_ONCE ? 0 : FIRST_PAUSE_MS * 2 ** (this.#count - AT_ONCE)
    if (now - this.#goneAt < Math.min(pause, LONGEST_PAUSE_MS)) return false
    this.#count += 1
    this.#drawnAt = now
    this.#goneAt = null
    return true
  }
}
