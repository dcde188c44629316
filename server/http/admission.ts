import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Grant, Keyring } from '../accounts/keyring.ts'
import { errors } from '../errors.ts'
import type { Verdict } from '../limits/bucket.ts'
import type { ConcurrencyLimiter } from '../limits/concurrency-limiter.ts'
import type { RateLimiter } from '../limits/rate-limiter.ts'
import { negotiate } from './negotiation.ts'

export interface Gates {
  keyring: Keyring
  rateLimiter: RateLimiter
  concurrency: ConcurrencyLimiter
}

type Soon<T> = T | Promise<T>

/**
 * What stands before every operation, and before its body is read: the key, the plan's requests per minute, the headers,
 * and a slot to work in. Nearly always each is answered at once, and no promise is made.
 */
export class Admission {
  readonly #gates: Gates
  readonly #leave: () => void

  constructor(gates: Gates) {
    this.#gates = gates
    this.#leave = () => gates.concurrency.leave()
  }

  admit(request: FastifyRequest, reply: FastifyReply): Soon<void> {
    return after(this.#gates.keyring.authenticate(request.headers.authorization, request.raw.socket), (grant) => {
      request.grant = grant
      return after(this.#limitRate(grant, reply), () => {
        negotiate(request.method, request.headers)
        return this.#enter(grant.accountId, reply.raw)
      })
    })
  }

  #limitRate({ accountId, plan }: Grant, reply: FastifyReply): Soon<void> {
    if (plan.requestsPerMinute === null) return undefined
    return after(this.#gates.rateLimiter.take(accountId, plan.requestsPerMinute), (verdict) => {
      const headers = rateLimitHeaders(verdict)
      if (!verdict.allowed)
        throw errors.rateLimited(verdict.limit, { ...headers, 'Retry-After': headers['RateLimit-Reset'] })
      reply.headers(headers)
    })
  }

  /** The slot is left when the response is closed: node emits that once, after its end and after a broken connection. */
  #enter(accountId: number, response: ServerResponse): Soon<void> {
    if (response.closed) throw errors.requestTimeout()
    if (!this.#gates.concurrency.tryEnter()) return this.#wait(accountId, response)
    response.on('close', this.#leave)
  }

  async #wait(accountId: number, response: ServerResponse): Promise<void> {
    const turn = this.#gates.concurrency.wait(accountId)
    const leave = () => {
      if (!turn.cancel()) this.#leave()
    }
    response.on('close', leave)
    try {
      await turn.admitted
    } catch (error) {
      response.off('close', leave)
      throw error
    }
  }
}

function after<T, Result>(value: Soon<T>, next: (value: T) => Soon<Result>): Soon<Result> {
  return value instanceof Promise ? value.then(next) : next(value)
}

function rateLimitHeaders({ limit, remaining, resetSeconds }: Verdict) {
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(resetSeconds),
  }
}
