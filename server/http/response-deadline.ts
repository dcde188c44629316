import { errors } from '../errors.ts'
import type { Exchange } from './exchange.ts'

/**
 * The deadline of an answer. Each step of a request has its own time limit, but a hanging database can use up several of
 * them one after the other. This is the limit of all together. One timer checks all requests under way: a timer for each
 * request would cost time and would hardly ever fire.
 *
 * Requests are kept in numbered entries, not in a Set. V8 replaces the table of a busy Set again and again, and each old
 * table points to the next: once one of them is in the old generation, the garbage collector keeps all that follow, with
 * their requests. It cost 7 ms of every 80, and 2 MB each time, until the next full collection.
 */
export class ResponseDeadline {
  readonly #answerMs: number
  readonly #giveUp: (exchange: Exchange, error: Error) => void
  readonly #watched: (Exchange | undefined)[] = []
  /** When the wait of each began. */
  readonly #since: number[] = []
  readonly #free: number[] = []
  readonly #timer: NodeJS.Timeout

  constructor(answerMs: number, checkMs: number, giveUp: (exchange: Exchange, error: Error) => void) {
    this.#answerMs = answerMs
    this.#giveUp = giveUp
    this.#timer = setInterval(() => this.#check(), checkMs).unref()
  }

  watch(exchange: Exchange): void {
    const entry = this.#free.pop() ?? this.#watched.length
    exchange.deadlineEntry = entry
    this.#watched[entry] = exchange
    this.#since[entry] = exchange.startedAt
  }

  forget(exchange: Exchange): void {
    const entry = exchange.deadlineEntry
    if (entry === undefined) return
    this.#watched[entry] = undefined
    this.#free.push(entry)
    exchange.deadlineEntry = undefined
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #check(): void {
    const now = performance.now()
    for (const [entry, exchange] of this.#watched.entries()) {
      if (!exchange || now - (this.#since[entry] as number) < this.#answerMs) continue
      if (isStillSending(exchange)) this.#since[entry] = now
      // The answer has begun. A client that does not read it has a limit of its own.
      else if (exchange.response.headersSent) this.forget(exchange)
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
