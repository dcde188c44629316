import type { EnvironmentId, OpenTransaction } from '../../database/database.ts'
import { type AttemptResult, type EndpointHealth, HEALTHY, healthAfter } from './endpoint-health.ts'
import { addToHours, type EndpointHour, lockHealth, writeHealth } from './endpoint-queries.ts'

/** An endpoint that went down, or recovered. */
export interface HealthChange extends EndpointHealth {
  subscriptionId: string
}

/** The attempts of a batch, by subscription. */
export type ResultsByEndpoint = ReadonlyMap<string, readonly AttemptResult[]>

/** Records a batch of attempts in the transaction that writes their outcomes. Returns the changes of health. */
export async function recordResults(
  transaction: OpenTransaction,
  environmentId: EnvironmentId,
  results: ResultsByEndpoint,
  known: ReadonlyMap<string, EndpointHealth>,
): Promise<HealthChange[]> {
  transaction.defer(addToHours(transaction, environmentId, hoursOf(results)))
  // The row of a healthy endpoint without failures is neither locked nor written.
  const affected = [...results].flatMap(([id, attempts]) => {
    const hasFailures = (known.get(id)?.failures ?? 0) > 0 || attempts.some(({ ok }) => !ok)
    return hasFailures ? [id] : []
  })
  if (affected.length === 0) return []
  const locked = await lockHealth(transaction, environmentId, affected)
  const changes = affected.map((subscriptionId) => {
    const before = locked.get(subscriptionId) ?? HEALTHY
    return { before, after: { subscriptionId, ...healthAfter(before, results.get(subscriptionId) ?? []) } }
  })
  transaction.defer(
    writeHealth(
      transaction,
      environmentId,
      changes.map(({ after }) => after),
    ),
  )
  return changes.filter(({ before, after }) => before.isDown !== after.isDown).map(({ after }) => after)
}

function hoursOf(results: ResultsByEndpoint): EndpointHour[] {
  const hours = new Map<string, EndpointHour>()
  for (const [subscriptionId, attempts] of results) {
    for (const { ok, at } of attempts) {
      const hour = `${at.slice(0, 13)}:00:00Z`
      const key = `${subscriptionId} ${hour}`
      const counted = hours.get(key) ?? { subscriptionId, hour, delivered: 0, failed: 0 }
      counted[ok ? 'delivered' : 'failed'] += 1
      hours.set(key, counted)
    }
  }
  return [...hours.values()]
}
