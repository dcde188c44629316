import { errors } from '../errors.ts'
import { Shares } from './shares.ts'

/** A request. Its account and its environment do not change any more. */
interface Holder {
  readonly accountId: number | undefined
  readonly environmentId: number | undefined
  heldAnswerBytes: number
}

/** The share of one environment: its slow readers leave room for the others. */
const SHARE_OF_ENVIRONMENT = 0.5
/** That of one account, which may have many environments. Readers without an account have one share together. */
const SHARE_OF_ACCOUNT = 0.75

/** How many bytes of long answers a process holds at once for clients that have not read them yet. */
export class AnswerBudget {
  readonly #most: number
  #held = 0
  readonly #ofAccounts = new Shares<number | undefined>()
  readonly #ofEnvironments = new Shares<number>()

  constructor(bytes: number) {
    this.#most = bytes
  }

  /**
   * Throws when there is no room for another answer. One that is larger than all the room, or than the share, is sent when
   * nothing else is held there. The answer to a write is sent in any case: it is stored.
   */
  take(exchange: Holder, bytes: number, isRead: boolean): void {
    if (isRead && !this.#fits(exchange, bytes)) throw errors.answersOverloaded()
    this.#add(exchange, bytes)
    exchange.heldAnswerBytes += bytes
  }

  release(exchange: Holder): void {
    const { heldAnswerBytes } = exchange
    if (heldAnswerBytes === 0) return
    this.#add(exchange, -heldAnswerBytes)
    exchange.heldAnswerBytes = 0
  }

  #fits({ accountId, environmentId }: Holder, bytes: number): boolean {
    const ofEnvironment = environmentId === undefined ? 0 : this.#ofEnvironments.of(environmentId)
    return (
      hasRoom(this.#held, bytes, this.#most) &&
      hasRoom(this.#ofAccounts.of(accountId), bytes, SHARE_OF_ACCOUNT * this.#most) &&
      hasRoom(ofEnvironment, bytes, SHARE_OF_ENVIRONMENT * this.#most)
    )
  }

  #add({ accountId, environmentId }: Holder, bytes: number): void {
    this.#held += bytes
    this.#ofAccounts.add(accountId, bytes)
    if (environmentId !== undefined) this.#ofEnvironments.add(environmentId, bytes)
  }
}

const hasRoom = (held: number, bytes: number, most: number): boolean => held === 0 || held + bytes <= most
