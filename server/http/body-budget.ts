import { errors } from '../errors.ts'

/** A request. */
interface Holder {
  heldBytes: number
}

/** How many bytes of request bodies a process holds at once, over all requests that are not answered yet. */
export class BodyBudget {
  #free: number

  constructor(bytes: number) {
    this.#free = bytes
  }

  /** Throws when nothing is left. `release` gives back what the exchange has taken. */
  take(exchange: Holder, bytes: number): void {
    if (bytes > this.#free) throw errors.bodiesOverloaded()
    this.#free -= bytes
    exchange.heldBytes += bytes
  }

  release(exchange: Holder): void {
    this.#free += exchange.heldBytes
    exchange.heldBytes = 0
  }
}
