import { errors } from '../errors.ts'
import { Shares } from './shares.ts'

/** A request. */
interface Holder {
  readonly accountId: number | undefined
  heldBytes: number
  /** Whose bytes they are, once there are some. A page that is being left is recognised by its body. */
  heldBy: number | undefined
}

/** Of one account: its slow senders leave room for the others. Who is not recognised yet has one share with all such callers. */
const SHARE = 0.75

/** How many bytes of request bodies a process holds at once, over all requests that are not answered yet. */
export class BodyBudget {
  readonly #most: number
  #held = 0
  readonly #ofAccounts = new Shares<number | undefined>()

  constructor(bytes: number) {
    this.#most = bytes
  }

  /** Throws when nothing is left. A body that is larger than the share fits alone. `release` gives back what the exchange has taken. */
  take(exchange: Holder, bytes: number): void {
    if (exchange.heldBytes === 0) exchange.heldBy = exchange.accountId
    const others = this.#ofAccounts.of(exchange.heldBy) - exchange.heldBytes
    const fits = others === 0 || others + exchange.heldBytes + bytes <= SHARE * this.#most
    if (this.#held + bytes > this.#most || !fits) throw errors.bodiesOverloaded()
    this.#held += bytes
    this.#ofAccounts.add(exchange.heldBy, bytes)
    exchange.heldBytes += bytes
  }

  release(exchange: Holder): void {
    this.#held -= exchange.heldBytes
    this.#ofAccounts.add(exchange.heldBy, -exchange.heldBytes)
    exchange.heldBytes = 0
  }
}
