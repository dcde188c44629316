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
  /** The next batch. */
  take(): Waiter[]
  /** Called for a slow batch: items that have to follow it are not taken until it, or their part of it, is released. */
  hold?(batch: readonly Waiter[]): void
  release?(batch: readonly Waiter[], part: readonly Waiter[]): void
}

/** First in, first out. */
export class FirstInFirstOut<Waiter> implements WaitingItems<Waiter> {
  readonly #most: number
  #waiters: Waiter[] = []

  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most
  }

  get size(): number {
    return this.#waiters.length
  }

  push(waiter: Waiter): void {
    this.#waiters.push(waiter)
  }

  take(): Waiter[] {
    return this.#waiters.splice(0, this.#most)
  }
}
