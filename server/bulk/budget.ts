import type { ApiHandlers } from '../api.ts'
import { errors } from '../errors.ts'
import { rateLimitHeaders } from '../http/admission.ts'
import type { Services } from '../services.ts'

type Call = Parameters<ApiHandlers['runBatch']>[0]

/** Each operation costs one request of the rate limit. The first was counted on admission. A refused batch costs no more. */
export async function takeBudget(
  { rateLimiter }: Services,
  { grant, exchange, body: { operations } }: Call,
): Promise<void> {
  const limit = grant.plan.requestsPerMinute
  if (limit === null) return
  if (operations.length > limit)
    throw errors.invalidParams([`operations: are more than the ${limit} requests per minute of the plan; send fewer`])
  const verdict = await rateLimiter.takeMany(grant.accountId, limit, operations.length - 1)
  if (!verdict) return
  exchange.replaceHeaders(rateLimitHeaders(verdict))
  if (!verdict.allowed)
    throw errors.batchOverRate(operations.length, verdict.remaining, { 'Retry-After': String(verdict.resetSeconds) })
}
