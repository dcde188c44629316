import { errors } from '../errors.ts'
import type { RateVerdict } from '../limits/bucket.ts'
import type { RateLimiter } from '../limits/rate-limiter.ts'
import { after, type MaybePromise } from '../maybe-promise.ts'
import type { Exchange } from './exchange.ts'
import type { RequestSlots } from './slots.ts'

/** What the limits need to know of a caller. */
export interface Caller {
  readonly accountId: number
  readonly environmentId: number
  readonly plan: { readonly requestsPerMinute: number | null }
}

/** Authenticates keys. It may cache the result on the connection. */
export interface KeyAuthenticator<Grant> {
  authenticate(authorization: string | undefined, connection: { key: object | undefined }): MaybePromise<Grant>
}

/**
 * Authenticates and limits the caller of an operation, or throws the refusal. An API with sessions instead of keys has its
 * own implementation.
 */
export interface Admission<Grant> {
  /** Before the body is read. */
  admit(exchange: Exchange): MaybePromise<Grant>
  /** When the body is there. */
  enter(exchange: Exchange, grant: Grant): MaybePromise<void>
}

/** An answer is data of the caller: nobody stores it, and no browser takes it for a page. */
const PRIVATE = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/**
 * Admits callers with an API key. The key and the rate limit are checked before the body is read, a slot is taken after.
 * Nearly always both are synchronous, and no promise is created.
 */
export class KeyAdmission<Grant extends Caller> implements Admission<Grant> {
  readonly #keys: KeyAuthenticator<Grant>
  readonly #rateLimiter: RateLimiter
  readonly #slots: RequestSlots

  constructor(keys: KeyAuthenticator<Grant>, rateLimiter: RateLimiter, slots: RequestSlots) {
    this.#keys = keys
    this.#rateLimiter = rateLimiter
    this.#slots = slots
  }

  admit(exchange: Exchange): MaybePromise<Grant> {
    const { connection, request } = exchange
    exchange.setHeaders(PRIVATE)
    return after(this.#keys.authenticate(request.headers.authorization, connection), (grant) => {
      exchange.environmentId = grant.environmentId
      exchange.accountId = grant.accountId
      // Before the rate is limited: a request over the limit belongs to its environment too.
      exchange.grant = grant
      return after(this.#limitRate(grant, exchange), () => grant)
    })
  }

  enter(exchange: Exchange, { accountId }: Grant): MaybePromise<void> {
    return this.#slots.enter(exchange, accountId)
  }

  #limitRate({ accountId, plan }: Grant, exchange: Exchange): MaybePromise<void> {
    if (plan.requestsPerMinute === null) return undefined
    return after(this.#rateLimiter.take(accountId, plan.requestsPerMinute), (verdict) => {
      const headers = rateLimitHeaders(verdict)
      if (!verdict.allowed)
        throw errors.rateLimited(verdict.limit, { ...headers, 'Retry-After': headers['RateLimit-Reset'] })
      exchange.setHeaders(headers)
    })
  }
}

export function rateLimitHeaders({ limit, remaining, resetSeconds }: RateVerdict) {
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(resetSeconds),
  }
}
