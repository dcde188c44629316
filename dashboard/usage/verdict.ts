import { count, counted } from '../format/number.ts'
import type { UsageData } from './queries.ts'

const CLOSE = 0.8

/** A sentence about how near the limit is. */
export function verdictOf({
  requests_per_minute: limit,
  highest,
  rate_limited_24_hours: refused,
  plan,
}: UsageData): string {
  if (limit === null) return `The plan ${plan} has no limit of requests.`
  if (refused > 0)
    return `${counted(refused, 'request was', 'requests were')} refused in 24 hours, because over ${count(limit)} came in a minute.`
  if (highest >= CLOSE * limit)
    return `The limit is near: ${count(highest)} of ${count(limit)} requests came in one minute.`
  return 'All requests of the last 24 hours were within the limit.'
}
