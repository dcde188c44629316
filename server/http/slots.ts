import { errors } from '../errors.ts'
import type { ConcurrencyLimiter } from '../limits/concurrency-limiter.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { Exchange } from './exchange.ts'

/** Gives requests their slots of the concurrency limit. */
export class RequestSlots {
  readonly #concurrency: ConcurrencyLimiter

  constructor(concurrency: ConcurrencyLimiter) {
    this.#concurrency = concurrency
  }

  /** `leave` frees the slot. */
  enter(exchange: Exchange, accountId: number): MaybePromise<void> {
    if (exchange.response.closed) throw errors.requestTimeout()
    if (!this.#concurrency.tryEnter(accountId)) return this.#wait(accountId, exchange)
    exchange.slotOf = accountId
  }

  /** Frees the slot, once. Does nothing for a request without a slot. */
  leave(exchange: Exchange): void {
    const accountId = exchange.slotOf
    if (accountId === undefined) return
    exchange.slotOf = undefined
    this.#concurrency.leave(accountId)
  }

  /** A client that disconnects while it waits gets no slot. */
  async #wait(accountId: number, exchange: Exchange): Promise<void> {
    const { response } = exchange
    const turn = this.#concurrency.wait(accountId)
    const cancel = () => void turn.cancel()
    response.on('close', cancel)
    await turn.admitted.finally(() => response.off('close', cancel))
    exchange.slotOf = accountId
    if (response.closed) this.leave(exchange)
  }
}
