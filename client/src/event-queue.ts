/** A waiting event as JSON text. */
export interface Entry {
  readonly number: number
  readonly json: string
}

/** Characters of one request: at most three bytes each, so it stays below the 10 MiB that a batch may have. */
const BATCH_CHARACTERS = 3_000_000

/** The events of a buffer, bounded in number and in size. Events that are being sent count until they are settled. */
export class EventQueue {
  readonly #mostEvents: number
  readonly #mostCharacters: number
  #waiting: Entry[] = []
  #held = 0
  #characters = 0

  constructor(mostEvents: number, mostCharacters: number) {
    this.#mostEvents = mostEvents
    this.#mostCharacters = mostCharacters
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Waiting or being sent. */
  get held(): number {
    return this.#held
  }

  add(entry: Entry): boolean {
    if (this.#held >= this.#mostEvents || this.#characters + entry.json.length > this.#mostCharacters) return false
    this.#waiting.push(entry)
    this.#held += 1
    this.#characters += entry.json.length
    return true
  }

  /** The oldest, as many as fit into one request; at least one. */
  take(most: number): Entry[] {
    let characters = 0
    let count = 0
    while (count < Math.min(most, this.#waiting.length)) {
      characters += (this.#waiting[count] as Entry).json.length
      if (count > 0 && characters > BATCH_CHARACTERS) break
      count += 1
    }
    return this.#waiting.splice(0, count)
  }

  takeAll(): Entry[] {
    return this.#waiting.splice(0)
  }

  /** Puts events back to the front of the queue. */
  putBack(entries: readonly Entry[]): void {
    this.#waiting = [...entries, ...this.#waiting]
  }

  /** Removes events that were stored or dropped. */
  settle(entries: readonly Entry[]): void {
    this.#held -= entries.length
    for (const { json } of entries) this.#characters -= json.length
  }
}
