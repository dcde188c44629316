import type { Grant, Keyring } from '../accounts/keyring.ts'
import { errors } from '../errors.ts'
import type { Verdict } from '../limits/bucket.ts'
import type { ConcurrencyLimiter } from '../limits/concurrency-limiter.ts'
import type { RateLimiter } from '../limits/rate-limiter.ts'
import type { Exchange } from './exchange.ts'
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

  constructor(gates: Gates) {
    this.#gates = gates
  }

  admit(exchange: Exchange): Soon<Grant> {
    const { connection, method, request } = exchange
    return after(this.#gates.keyring.authenticate(request.headers.authorization, connection), (grant) => {
      exchange.grant = grant
      return after(this.#limitRate(grant, exchange), () => {
        negotiate(method, request.headers)
        return after(this.#enter(grant.accountId, exchange), () => grant)
      })
    })
  }

  /** Gives the slot back, once; also of a request that never got one. */
  leave(exchange: Exchange): void {
    if (!exchange.active) return
    exchange.active = false
    this.#gates.concurrency.leave()
  }

  #limitRate({ accountId, plan }: Grant, exchange: Exchange): Soon<void> {
    if (plan.requestsPerMinute === null) return undefined
    return after(this.#gates.rateLimiter.take(accountId, plan.requestsPerMinute), (verdict) => {
      const headers = rateLimitHeaders(verdict)
      if (!verdict.allowed)
        throw errors.rateLimited(verdict.limit, { ...headers, 'Retry-After': headers['RateLimit-Reset'] })
      exchange.setHeaders(headers)
    })
  }

  #enter(accountId: number, exchange: Exchange): Soon<void> {
    if (exchange.response.closed) throw errors.requestTimeout()
    if (!this.#gates.concurrency.tryEnter()) return this.#wait(accountId, exchange)
    exchange.active = true
  }

  /** Who goes away while it waits is not kept a slot for. */
  async #wait(accountId: number, exchange: Exchange): Promise<void> {
    const { response } = exchange
    const turn = this.#gates.concurrency.wait(accountId)
    const cancel = () => void turn.cancel()
    response.on('close', cancel)
    await turn.admitted.finally(() => response.off('close', cancel))
    exchange.active = true
    if (response.closed) this.leave(exchange)
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
