import { DAY_MS } from '../../contract/units.ts'
import type { EnvironmentId } from '../database/database.ts'

/** Names that programs can make up: so many of an environment are told apart in a day. Further ones have the empty name. */
export class NamesOfDay {
  readonly #most: number
  readonly #now: () => number
  #day = 0
  #named = new Map<EnvironmentId, Set<string>>()

  constructor(most: number, now = Date.now) {
    this.#most = most
    this.#now = now
  }

  of(environmentId: EnvironmentId, given: string): string {
    const day = Math.floor(this.#now() / DAY_MS)
    if (day !== this.#day) this.#named = new Map()
    this.#day = day
    const named = this.#named.get(environmentId) ?? new Set()
    if (!named.has(given) && named.size >= this.#most) return ''
    this.#named.set(environmentId, named.add(given))
    return given
  }
}
