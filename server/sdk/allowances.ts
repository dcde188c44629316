import { sdkLimits } from '../../contract/sdk/limits.ts'
import type { EnvironmentId } from '../database/database.ts'
import { errors } from '../errors.ts'
import type { RateVerdict } from '../limits/bucket.ts'
import { MinuteLimits } from '../limits/minute-limits.ts'
import type { PageRules } from '../writes/jobs.ts'

/** What all pages of an environment may create in a minute, on this node: they must not fill the disk of their team. */
export class Allowances {
  readonly #objects: MinuteLimits
  readonly #names: MinuteLimits
  readonly #events: MinuteLimits
  readonly #reports: MinuteLimits

  constructor(now?: () => number) {
    this.#objects = new MinuteLimits(sdkLimits.newUsersPerMinute, now)
    this.#names = new MinuteLimits(sdkLimits.newNamesPerMinute, now)
    this.#events = new MinuteLimits(sdkLimits.eventsPerMinute, now)
    this.#reports = new MinuteLimits(sdkLimits.reportsPerMinute, now)
  }

  rulesOf(environmentId: EnvironmentId, { isVerified, userCreatedAt }: Omit<PageRules, 'mayCreate'>): PageRules {
    const limits = { object: this.#objects, name: this.#names }
    return { mayCreate: (kind) => limits[kind].take(environmentId).allowed, isVerified, userCreatedAt }
  }

  takeEvent(environmentId: EnvironmentId): void {
    refuseOver(this.#events.take(environmentId), 'tracked', 'events')
  }

  takeReports(environmentId: EnvironmentId, count: number): void {
    refuseOver(this.#reports.take(environmentId, count), 'sent', 'reports')
  }
}

function refuseOver({ allowed, limit, resetSeconds }: RateVerdict, done: string, what: string): void {
  if (!allowed) throw errors.tooManyFromPages(`Pages have ${done} their ${limit} ${what} of this minute.`, resetSeconds)
}
