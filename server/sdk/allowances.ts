import { sdkLimits } from '../../contract/sdk/limits.ts'
import type { EnvironmentId } from '../database/database.ts'
import { errors } from '../errors.ts'
import type { RateVerdict } from '../limits/bucket.ts'
import { MinuteLimits } from '../limits/minute-limits.ts'
import type { CreatedByPage, PageRules } from '../writes/jobs.ts'

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

  rulesOf(
    environmentId: EnvironmentId,
    { isVerified, userCreatedAt }: Pick<PageRules, 'isVerified' | 'userCreatedAt'>,
  ): PageRules {
    const limits = { object: this.#objects, name: this.#names }
    const taken = none()
    let created = none()
    const mayCreate = (kind: CreatedByPage) => {
      created[kind] += 1
      if (created[kind] <= taken[kind]) return true
      const { allowed } = limits[kind].take(environmentId)
      if (allowed) taken[kind] += 1
      return allowed
    }
    const beginTry = () => {
      created = none()
    }
    return { mayCreate, beginTry, isVerified, userCreatedAt }
  }

  takeEvent(environmentId: EnvironmentId): void {
    refuseOver(this.#events.take(environmentId), 'tracked', 'events')
  }

  takeReports(environmentId: EnvironmentId, count: number): void {
    refuseOver(this.#reports.take(environmentId, count), 'sent', 'reports')
  }
}

const none = (): Record<CreatedByPage, number> => ({ object: 0, name: 0 })

function refuseOver({ allowed, limit, resetSeconds }: RateVerdict, done: string, what: string): void {
  if (!allowed) throw errors.tooManyFromPages(`Pages have ${done} their ${limit} ${what} of this minute.`, resetSeconds)
}
