import { sdkLimits } from '../../contract/sdk/limits.ts'
import type { CounterTally } from '../counters/tally.ts'
import type { EnvironmentId } from '../database/database.ts'
import { NamesOfDay } from './names-of-day.ts'
import { LOCALHOST, readOrigin } from './origins.ts'

interface Tallies {
  of(environmentId: EnvironmentId): Pick<CounterTally, 'add'>
}

/**
 * Counts requests of pages whose origin is not allowed. Programs can send any origin, so the names of an environment are bounded
 * for each day; further ones, and those that nobody could allow, are counted without a name.
 */
export class RefusedOrigins {
  readonly #counters: Tallies
  readonly #names: NamesOfDay

  constructor(counters: Tallies, now = Date.now) {
    this.#counters = counters
    this.#names = new NamesOfDay(sdkLimits.refusedOriginsPerDay, now)
  }

  add(environmentId: EnvironmentId, origin: string): void {
    const name = isOrigin(origin) ? this.#names.of(environmentId, origin) : ''
    this.#counters.of(environmentId).add('refused_origin', name)
  }
}

/** As a browser sends it: in lower case, without a default port. A pattern would allow more than the page that sent it. */
function isOrigin(given: string): boolean {
  return !given.includes('*') && given !== LOCALHOST && readOrigin(given) === given
}
