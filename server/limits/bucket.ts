export interface RateVerdict {
  allowed: boolean
  limit: number
  /** The remaining requests of the account, as far as this node knows. */
  remaining: number
  resetSeconds: number
}

/** The part of an account's budget that this node holds, and until when it may be used. */
export interface Bucket {
  readonly accountId: number
  limit: number
  left: number
  /** The minute of the database that `left` belongs to, and its end by this node's monotonic clock. */
  minute: number
  endsAt: number
  refusesUntil: number
  unavailableUntil: number
  /** What all nodes had taken at the last query of this one. */
  usedByAll: number
  /** Requests that were admitted while the database was unreachable. They are charged when it is back. */
  uncounted: number
  uncountedSince: number
  slice: number
  askedAt: number
  takenAt: number
  waiting: ((verdict: RateVerdict) => void)[]
}

/** A slice is meant to last about a second: a node that crashes loses no more than that. */
const SHORT_MS = 500
const LONG_MS = 2_000

export function openBucket(accountId: number): Bucket {
  const never = Number.NEGATIVE_INFINITY
  const times = { endsAt: never, refusesUntil: never, unavailableUntil: never, askedAt: never, takenAt: never }
  const budget = { limit: 0, left: 0, minute: 0, usedByAll: 0, uncounted: 0, uncountedSince: never, slice: 1 }
  return { accountId, ...budget, ...times, waiting: [] }
}

export function allow(bucket: Bucket, now: number): RateVerdict {
  bucket.left -= 1
  return verdict(bucket, true, now)
}

export function verdict(bucket: Bucket, allowed: boolean, now: number): RateVerdict {
  return {
    allowed,
    limit: bucket.limit,
    remaining: Math.max(0, bucket.limit - bucket.usedByAll + bucket.left),
    resetSeconds: Math.max(1, Math.ceil((bucket.endsAt - now) / 1000)),
  }
}

export function passUncounted(bucket: Bucket, now: number): RateVerdict {
  // Requests of over a minute ago belong to no current budget.
  if (now - bucket.uncountedSince > 60_000) {
    bucket.uncounted = 0
    bucket.uncountedSince = now
  }
  bucket.uncounted += 1
  return { allowed: true, limit: bucket.limit, remaining: 0, resetSeconds: 60 }
}

export function resize(bucket: Bucket, now: number): void {
  const lasted = now - bucket.askedAt
  if (lasted < SHORT_MS) bucket.slice = Math.min(bucket.slice * 2, bucket.limit)
  else if (lasted > LONG_MS) bucket.slice = Math.max(1, bucket.slice >> 1)
  bucket.askedAt = now
}
