import { errors } from '../errors.ts'
import type { Exchange } from './exchange.ts'

/**
 * The deadline of an answer. Each step of a request has its own time limit, but a hanging database can use up several of
 * them one after the other. This is the limit of all together. One timer checks all requests under way: a timer for each
 * request would cost time and would hardly ever fire.
 *
 * Requests are kept in numbered slots, not in a Set. V8 replaces the table of a busy Set again and again, and each old
 * table points to the next: once one of them is in the old generation, the garbage collector keeps all that follow, with
 * their requests. It cost 7 ms of every 80, and 2 MB each time, until the next full collection.
 */
export class ResponseDeadline {
  readonly #answerMs: number
  readonly #giveUp: (exchange: Exchange, error: Error) => void
  readonly #slots: (Exchange | undefined)[] = []
  readonly #free: number[] = []
  readonly #timer: NodeJS.Timeout

  constructor(answerMs: number, checkMs: number, giveUp: (exchange: Exchange, error: Error) => void) {
    this.#answerMs = answerMs
    this.#giveUp = giveUp
    this.#timer = setInterval(() => this.#check(), checkMs).unref()
  }

  watch(exchange: Exchange): void {
    exchange.waitingSince = exchange.startedAt
    exchange.slot = this.#free.pop() ?? this.#slots.length
    this.#slots[exchange.slot] = exchange
  }

  forget(exchange: Exchange): void {
    if (exchange.slot === undefined) return
    this.#slots[exchange.slot] = undefined
    this.#free.push(exchange.slot)
    exchange.slot = undefined
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #check(): void {
    const now = performance.now()
    for (const exchange of this.#slots) {
      if (!exchange || now - exchange.waitingSince < this.#answerMs) continue
      if (isStillSending(exchange)) exchange.waitingSince = now
      else {
        this.forget(exchange)
        const why = 'The answer took too long; whether the request was carried out is not known.'
        this.#giveUp(exchange, errors.unavailable(why))
      }
    }
  }
}

/** The body has its own time limit. The deadline starts when the body is complete. The body is not read before admission. */
function isStillSending({ admitted, request }: Exchange): boolean {
  return admitted && !request.complete
}
