import { errors } from '../errors.ts'

/** A request. */
interface Holder {
  readonly environmentId: number | undefined
  heldAnswerBytes: number
}

/** The share of one environment: its slow readers leave room for the others. */
const SHARE = 0.5

/** How many bytes of long answers a process holds at once for clients that have not read them yet. */
export class AnswerBudget {
  readonly #most: number
  #held = 0
  readonly #ofEnvironments = new Map<number | undefined, number>()

  constructor(bytes: number) {
    this.#most = bytes
  }

  /**
   * Throws when there is no room for another answer. One that is larger than all the room, or than the share, is sent when
   * nothing else is held there. The answer to a write is sent in any case: it is stored.
   */
  take(exchange: Holder, bytes: number, isRead: boolean): void {
    const ofEnvironment = this.#ofEnvironments.get(exchange.environmentId) ?? 0
    const fits = hasRoom(this.#held, bytes, this.#most) && hasRoom(ofEnvironment, bytes, SHARE * this.#most)
    if (isRead && !fits) throw errors.answersOverloaded()
    this.#held += bytes
    this.#ofEnvironments.set(exchange.environmentId, ofEnvironment + bytes)
    exchange.heldAnswerBytes += bytes
  }

  release(exchange: Holder): void {
    const { heldAnswerBytes, environmentId } = exchange
    if (heldAnswerBytes === 0) return
    this.#held -= heldAnswerBytes
    const left = (this.#ofEnvironments.get(environmentId) ?? 0) - heldAnswerBytes
    if (left > 0) this.#ofEnvironments.set(environmentId, left)
    else this.#ofEnvironments.delete(environmentId)
    exchange.heldAnswerBytes = 0
  }
}

const hasRoom = (held: number, bytes: number, most: number): boolean => held === 0 || held + bytes <= most
