import type { ApiHandlers } from '../api.ts'
import { errors } from '../errors.ts'
import { rateLimitHeaders } from '../http/admission.ts'
import type { RateVerdict } from '../limits/bucket.ts'
import type { Services } from '../services.ts'

type Call = Parameters<ApiHandlers['runBatch']>[0]

/** Each operation costs one request of the rate limit. The first was counted on admission. */
export async function takeBudget(
  { rateLimiter }: Services,
  { grant, exchange, body: { operations } }: Call,
): Promise<void> {
  const limit = grant.plan.requestsPerMinute
  if (limit === null) return
  if (operations.length > limit)
    throw errors.invalidParams([`operations: are more than the ${limit} requests per minute of the plan; send fewer`])
  let verdict: RateVerdict | undefined
  for (let count = 1; count < operations.length && verdict?.allowed !== false; count += 1)
    verdict = await rateLimiter.take(grant.accountId, limit)
  if (!verdict) return
  exchange.replaceHeaders(rateLimitHeaders(verdict))
  if (!verdict.allowed) throw errors.rateLimited(limit, { 'Retry-After': String(verdict.resetSeconds) })
}
