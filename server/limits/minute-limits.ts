import type { RateVerdict } from './bucket.ts'

interface Window {
  used: number
  endsAt: number
}

const MINUTE_MS = 60_000
/** Bounds the memory. Over it all windows are forgotten: whoever has so many addresses is not held back by this anyway. */
const MOST_WINDOWS = 200_000

/** How often something may happen in a minute, for each key, in this process only. A minute begins with its first use. */
export class MinuteLimits {
  readonly #limit: number
  readonly #now: () => number
  #windows = new Map<string | number, Window>()
  #sweptAt = 0

  constructor(limit: number, now: () => number = () => performance.now()) {
    this.#limit = limit
    this.#now = now
  }

  /** Takes one or several, or none when so many are not left. */
  take(key: string | number, count = 1): RateVerdict {
    const now = this.#now()
    const window = this.#windowOf(key, now)
    const allowed = window.used + count <= this.#limit
    if (allowed) window.used += count
    const resetSeconds = Math.max(1, Math.ceil((window.endsAt - now) / 1000))
    return { allowed, limit: this.#limit, remaining: this.#limit - window.used, resetSeconds }
  }

  get size(): number {
    return this.#windows.size
  }

  #windowOf(key: string | number, now: number): Window {
    const known = this.#windows.get(key)
    if (known && now < known.endsAt) return known
    this.#sweep(now)
    const window = { used: 0, endsAt: now + MINUTE_MS }
    this.#windows.set(key, window)
    return window
  }

  #sweep(now: number): void {
    if (this.#windows.size >= MOST_WINDOWS) this.#windows = new Map()
    if (now - this.#sweptAt < MINUTE_MS) return
    this.#sweptAt = now
    for (const [key, { endsAt }] of this.#windows) if (endsAt <= now) this.#windows.delete(key)
  }
}
