import { sdkLimits } from '../../contract/sdk/limits.ts'
import { errors } from '../errors.ts'
import type { RateVerdict } from '../limits/bucket.ts'
import { MinuteLimits } from '../limits/minute-limits.ts'
import { addressKey } from './addresses.ts'
import type { PublicSide } from './directory.ts'

/** Of browsers and of addresses, in this process, and apart from the limit of the account's API. */
export class PageLimits {
  readonly #visitors: MinuteLimits
  readonly #addresses: MinuteLimits

  constructor(now?: () => number) {
    this.#visitors = new MinuteLimits(sdkLimits.requestsPerMinute, now)
    this.#addresses = new MinuteLimits(sdkLimits.requestsPerAddressAndMinute, now)
  }

  takeAddress(address: string, count = 1): void {
    refuseOver(this.#addresses.take(addressKey(address), count), 'address')
  }

  takeBrowser({ environmentId }: PublicSide, browserId: string): void {
    refuseOver(this.#visitors.take(`${environmentId} ${browserId}`), 'browser')
  }
}

function refuseOver({ allowed, limit, resetSeconds }: RateVerdict, whose: string): void {
  if (!allowed) throw errors.tooManyFromPages(`The ${whose} has used its ${limit} requests of a minute.`, resetSeconds)
}
