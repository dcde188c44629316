import { sdkLimits } from '../../contract/sdk/limits.ts'
import type { EnvironmentId } from '../database/database.ts'
import { errors } from '../errors.ts'
import { MinuteLimits } from '../limits/minute-limits.ts'
import type { PageRules } from '../writes/jobs.ts'

/** What all pages of an environment may create in a minute, on this node: they must not fill the disk of their team. */
export class Allowances {
  readonly #objects: MinuteLimits
  readonly #names: MinuteLimits
  readonly #events: MinuteLimits

  constructor(now?: () => number) {
    this.#objects = new MinuteLimits(sdkLimits.newUsersPerMinute, now)
    this.#names = new MinuteLimits(sdkLimits.newNamesPerMinute, now)
    this.#events = new MinuteLimits(sdkLimits.eventsPerMinute, now)
  }

  rulesOf(environmentId: EnvironmentId, userCreatedAt?: string): PageRules {
    const limits = { object: this.#objects, name: this.#names }
    return { mayCreate: (kind) => limits[kind].take(environmentId).allowed, userCreatedAt }
  }

  takeEvent(environmentId: EnvironmentId): void {
    const { allowed, limit, resetSeconds } = this.#events.take(environmentId)
    if (!allowed)
      throw errors.tooManyFromPages(`Pages have tracked their ${limit} events of this minute.`, resetSeconds)
  }
}
