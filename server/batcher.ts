/** One item that waits for its batch, and how to answer the one who handed it in. */
export interface Ticket<Item, Result> {
  readonly item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * Gathers what arrives together. When nothing is under way an item starts at once, so a lone caller waits for nobody;
 * while a batch is under way items gather, and the next batch takes them. Reads by id and all writes go through this:
 * it is what makes one round trip serve many requests.
 */
export class Batcher<Item, Result> {
  readonly #run: (batch: Ticket<Item, Result>[]) => Promise<void>
  readonly #take: (waiting: readonly Ticket<Item, Result>[]) => number
  #waiting: Ticket<Item, Result>[] = []
  #running = false

  /** `run` answers every ticket of its batch; `take` says how many of those that wait may share one. */
  constructor(
    run: (batch: Ticket<Item, Result>[]) => Promise<void>,
    take: (waiting: readonly Ticket<Item, Result>[]) => number,
  ) {
    this.#run = run
    this.#take = take
  }

  get size(): number {
    return this.#waiting.length
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      if (!this.#running) {
        this.#running = true
        // After all that is being worked on right now: what arrived together is handed in together.
        process.nextTick(() => void this.#drain())
      }
    })
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#take(this.#waiting))
      try {
        await this.#run(batch)
      } catch (error) {
        for (const ticket of batch) ticket.reject(error)
      }
    }
    this.#running = false
  }
}
