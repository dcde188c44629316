import { errors } from '../errors.ts'
import type { Exchange } from './exchange.ts'

/**
 * Nobody waits for an answer for ever. Each step of a request has a time limit of its own, but a database that hangs
 * can use up several of them one after the other; this is the limit of all together. One timer looks at the oldest
 * requests: a timer for each would cost every request, and hardly ever ring.
 */
export class Patience {
  readonly #answerMs: number
  readonly #giveUp: (exchange: Exchange, error: Error) => void
  /** In the order of their times. */
  readonly #waiting = new Set<Exchange>()
  readonly #timer: NodeJS.Timeout

  constructor(answerMs: number, checkMs: number, giveUp: (exchange: Exchange, error: Error) => void) {
    this.#answerMs = answerMs
    this.#giveUp = giveUp
    this.#timer = setInterval(() => this.#look(), checkMs).unref()
  }

  watch(exchange: Exchange, since = exchange.startedAt): void {
    exchange.waitingSince = since
    this.#waiting.add(exchange)
  }

  forget(exchange: Exchange): void {
    this.#waiting.delete(exchange)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const now = performance.now()
    for (const exchange of this.#waiting) {
      if (now - exchange.waitingSince < this.#answerMs) return
      this.#waiting.delete(exchange)
      if (isStillSending(exchange)) this.watch(exchange, now)
      else {
        const why = 'The answer took too long; whether the request was carried out is not known.'
        this.#giveUp(exchange, errors.unavailable(why))
      }
    }
  }
}

/** The body has a time limit of its own; ours begins when it is there. Before the key is known nobody reads it. */
function isStillSending({ grant, request }: Exchange): boolean {
  return grant !== undefined && !request.complete
}
