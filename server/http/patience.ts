import type { FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '../errors.ts'

/**
 * Nobody waits for an answer for ever. Each step of a request has a time limit of its own, but a database that hangs
 * can use up several of them one after the other; this is the limit of all together. One timer looks at the oldest
 * requests: a timer for each would cost every request, and hardly ever ring.
 */
export class Patience {
  readonly #answerMs: number
  /** In the order of their times. */
  readonly #since = new Map<FastifyReply, number>()
  readonly #timer: NodeJS.Timeout

  constructor(answerMs: number, checkMs: number) {
    this.#answerMs = answerMs
    this.#timer = setInterval(() => this.#look(), checkMs).unref()
  }

  watch(reply: FastifyReply): void {
    this.#since.set(reply, performance.now())
    reply.raw.on('close', () => this.#since.delete(reply))
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const now = performance.now()
    for (const [reply, since] of this.#since) {
      if (now - since < this.#answerMs) return
      this.#since.delete(reply)
      if (isStillSending(reply.request)) this.#since.set(reply, now)
      else if (!reply.sent) {
        void reply.send(
          errors.unavailable('The answer took too long; whether the request was carried out is not known.'),
        )
      }
    }
  }
}

/** The body has a time limit of its own; ours begins when it is there. Before the key is known nobody reads it. */
function isStillSending({ grant, raw }: FastifyRequest): boolean {
  return grant !== undefined && !raw.complete
}
