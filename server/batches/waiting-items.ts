/** One item that waits for its batch, with the callbacks of its promise. */
export interface Ticket<Item, Result> {
  readonly item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/** The waiting items of a batcher, and which of them are next. */
export interface WaitingItems<Waiter> {
  /** How many items can be taken now. */
  readonly size: number
  push(waiter: Waiter): void
  /** The next batch: not more than `most`, and often fewer. */
  take(most: number): Waiter[]
  /**
   * Only items that keep their order have this. Called for a slow batch: items that have to follow it are not taken until
   * it, or their part of it, is released.
   */
  hold?(batch: readonly Waiter[]): void
  release?(batch: readonly Waiter[], part: readonly Waiter[]): void
}

/** First in, first out. A batch has up to `most` items, or items of this weight together: always one, however heavy. */
export class FirstInFirstOut<Waiter> implements WaitingItems<Waiter> {
  readonly #most: number
  readonly #weigh: ((waiter: Waiter) => number) | undefined
  #waiters: Waiter[] = []

  constructor(most = Number.POSITIVE_INFINITY, weigh?: (waiter: Waiter) => number) {
    this.#most = most
    this.#weigh = weigh
  }

  get size(): number {
    return this.#waiters.length
  }

  push(waiter: Waiter): void {
    this.#waiters.push(waiter)
  }

  take(most: number): Waiter[] {
    return this.#waiters.splice(0, Math.min(most, this.#weigh ? this.#fitting(this.#weigh) : this.#most))
  }

  #fitting(weigh: (waiter: Waiter) => number): number {
    let weight = 0
    const first = this.#waiters.findIndex((waiter, index) => {
      weight += weigh(waiter)
      return index > 0 && weight > this.#most
    })
    return first < 0 ? this.#waiters.length : first
  }
}
