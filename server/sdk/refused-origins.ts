import { sdkLimits } from '../../contract/sdk/limits.ts'
import type { CounterTally } from '../counters/tally.ts'
import type { EnvironmentId } from '../database/database.ts'
import { LOCALHOST, readOrigin } from './origins.ts'

const DAY_MS = 86_400_000

interface Tallies {
  of(environmentId: EnvironmentId): Pick<CounterTally, 'add'>
}

/**
 * Counts requests of pages whose origin is not allowed. Programs can send any origin, so the names of an environment are bounded
 * for each day; further ones, and those that nobody could allow, are counted without a name.
 */
export class RefusedOrigins {
  readonly #counters: Tallies
  readonly #now: () => number
  #day = 0
  #named = new Map<EnvironmentId, Set<string>>()

  constructor(counters: Tallies, now = Date.now) {
    this.#counters = counters
    this.#now = now
  }

  add(environmentId: EnvironmentId, origin: string): void {
    this.#counters.of(environmentId).add('refused_origin', this.#nameOf(environmentId, origin))
  }

  #nameOf(environmentId: EnvironmentId, given: string): string {
    const day = Math.floor(this.#now() / DAY_MS)
    if (day !== this.#day) this.#named = new Map()
    this.#day = day
    if (!isOrigin(given)) return ''
    const named = this.#named.get(environmentId) ?? new Set()
    if (!named.has(given) && named.size >= sdkLimits.refusedOriginsPerDay) return ''
    this.#named.set(environmentId, named.add(given))
    return given
  }
}

/** As a browser sends it: in lower case, without a default port. A pattern would allow more than the page that sent it. */
function isOrigin(given: string): boolean {
  return !given.includes('*') && given !== LOCALHOST && readOrigin(given) === given
}
