import { type Grant, RevokedKeyError } from '../accounts/keyring.ts'
import type { Counters } from '../counters/counters.ts'
import type { CounterTally } from '../counters/tally.ts'
import { withoutQuotes } from '../counters/without-quotes.ts'
import type { EnvironmentId } from '../database/database.ts'
import type { Exchange } from '../http/exchange.ts'
import type { LiveFeed } from './feed.ts'
import { countPageAnswer } from './page-answers.ts'
import { NO_ENVIRONMENT, recordOf, withoutSecrets } from './record.ts'

/** The most requests of an environment that one node keeps per second. All are counted. */
const MOST_A_SECOND = { successes: 50, refusals: 200 } as const

/** The requests of an environment that were kept in the current second. */
interface Allowance {
  successes: number
  refusals: number
}

/**
 * Counts every finished request of the public API, and keeps some for Live. It runs after the answer is sent.
 */
export class Recorder {
  readonly #counters: Counters
  readonly #feed: LiveFeed
  readonly #addressOf: (exchange: Exchange) => string
  #second = 0
  /** Of the environments that had a request in this second. */
  readonly #allowances = new Map<EnvironmentId, Allowance>()

  constructor(counters: Counters, feed: LiveFeed, addressOf: (exchange: Exchange) => string) {
    this.#counters = counters
    this.#feed = feed
    this.#addressOf = addressOf
  }

  /** For the operation with this name, whose answers have these secrets. */
  observer(name: string, secretFields: readonly string[] = []): (exchange: Exchange) => void {
    return (exchange) => {
      const now = Date.now()
      const grant = exchange.grant as Grant | undefined
      const shownTo = grant ?? revokedGrant(exchange)
      const environmentId = shownTo?.environmentId ?? NO_ENVIRONMENT
      const status = exchange.response.statusCode
      const tally = this.#counters.of(environmentId)
      tally.lastAt = now
      if (grant) this.#counters.useKey(grant.keyId, now)
      if (status < 400) tally.add('request', '200')
      else countRefusal(tally, exchange, shownTo, now)
      if (this.#mayKeep(environmentId, status < 400, now))
        this.#feed.add(
          environmentId,
          withoutSecrets(recordOf(exchange, name, shownTo, this.#addressOf(exchange), now), secretFields),
        )
      else this.#feed.leaveOut(environmentId)
    }
  }

  /** For a call of pages: kept for Live, and not counted among the requests of the account. */
  pageObserver(name: string, secretFields: readonly string[] = []): (exchange: Exchange) => void {
    const secrets = [...SECRETS_OF_PAGES, ...secretFields]
    return (exchange) => {
      const now = Date.now()
      const environmentId = (exchange.environmentId ?? NO_ENVIRONMENT) as EnvironmentId
      const status = exchange.response.statusCode
      const tally = this.#counters.of(environmentId)
      if (status >= 400) countRefusal(tally, exchange, undefined, now)
      countPageAnswer(tally, name, exchange)
      if (this.#mayKeep(environmentId, status < 400, now))
        this.#feed.add(
          environmentId,
          withoutSecrets(recordOf(exchange, name, undefined, this.#addressOf(exchange), now), secrets),
        )
      else this.#feed.leaveOut(environmentId)
    }
  }

  #mayKeep(environmentId: EnvironmentId, isSuccess: boolean, now: number): boolean {
    const second = Math.floor(now / 1000)
    if (second !== this.#second) this.#allowances.clear()
    this.#second = second
    let allowance = this.#allowances.get(environmentId)
    if (!allowance) {
      allowance = { successes: 0, refusals: 0 }
      this.#allowances.set(environmentId, allowance)
    }
    const kind = isSuccess ? 'successes' : 'refusals'
    allowance[kind] += 1
    return allowance[kind] <= MOST_A_SECOND[kind]
  }
}

/** Who sees them could act as the visitor. */
const SECRETS_OF_PAGES = ['visitor', 'token', 'signature']

/** A request with a revoked key is refused, and shown where the key was valid. */
function revokedGrant({ failure }: Exchange): Grant | undefined {
  return failure instanceof RevokedKeyError ? failure.grant : undefined
}

/** Indexes in a path are removed: `groups[3].id` and `groups[4].id` are one reason. */
function countRefusal(tally: CounterTally, exchange: Exchange, grant: Grant | undefined, now: number): void {
  const status = exchange.response.statusCode
  const code = exchange.failureCode || 'unknown'
  tally.add('request', `${status} ${code}`)
  tally.refuse({
    status,
    code,
    field: storable((exchange.failure?.param ?? '').replace(/\[\d+\]/g, '[]').slice(0, 200)),
    keyId: grant?.keyId ?? 0,
    requestId: exchange.id,
    message: storable(withoutQuotes(exchange.failure?.message ?? '', exchange)).slice(0, 500),
    at: now,
  })
}

/** PostgreSQL cannot store a NUL, and UTF-8 has no lone surrogates. */
function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed()
}
