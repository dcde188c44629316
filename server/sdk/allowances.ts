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
  readonly #bytes: MinuteLimits

  constructor(now?: () => number) {
    this.#objects = new MinuteLimits(sdkLimits.newUsersPerMinute, now)
    this.#names = new MinuteLimits(sdkLimits.newNamesPerMinute, now)
    this.#events = new MinuteLimits(sdkLimits.eventsPerMinute, now)
    this.#reports = new MinuteLimits(sdkLimits.reportsPerMinute, now)
    this.#bytes = new MinuteLimits(sdkLimits.bytesPerMinute, now)
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
    let takenBytes = 0
    const mayStore = (sizes: readonly number[]) => {
      const bytes = sizes.reduce((sum, size) => sum + inSteps(size), 0)
      const isAllowed = bytes <= takenBytes || this.#bytes.take(environmentId, bytes - takenBytes).allowed
      if (isAllowed) takenBytes = Math.max(takenBytes, bytes)
      return isAllowed
    }
    return { mayCreate, mayStore, beginTry, isVerified, userCreatedAt }
  }

  takeEvent(environmentId: EnvironmentId, bytes: number): void {
    refuseOver(this.#events.take(environmentId), 'tracked', 'events')
    refuseOver(this.#bytes.take(environmentId, bytes), 'stored', 'bytes')
  }

  takeReports(environmentId: EnvironmentId, count: number, bytes: number): void {
    refuseOver(this.#reports.take(environmentId, count), 'sent', 'reports')
    refuseOver(this.#bytes.take(environmentId, bytes), 'stored', 'bytes')
  }
}

/** Of what a page has sent, as it is stored. */
export function bytesOf(sent: unknown): number {
  return Buffer.byteLength(JSON.stringify(sent ?? null))
}

const inSteps = (bytes: number) => Math.ceil(bytes / sdkLimits.bytesPerStep) * sdkLimits.bytesPerStep

const none = (): Record<CreatedByPage, number> => ({ object: 0, name: 0 })

function refuseOver({ allowed, limit, resetSeconds }: RateVerdict, done: string, what: string): void {
  if (!allowed) throw errors.tooManyFromPages(`Pages have ${done} their ${limit} ${what} of this minute.`, resetSeconds)
}
