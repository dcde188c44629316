import type { Endpoint, Health } from '../../../contract/dashboard/webhooks.ts'
import { failureCodeOf } from '../../../contract/delivery-failures.ts'
import { seriesOf, spanOf, sum } from '../../counters/series.ts'
import type { Database, EnvironmentId } from '../../database/database.ts'
import { timeOfId } from '../../ids.ts'
import {
  countWaiting,
  type EndpointHourRow,
  type EndpointRow,
  type EndpointStateRow,
  listEndpointHours,
  listEndpointRows,
  listEndpointStates,
  MOST_WAITING_COUNTED,
  type WaitingCount,
} from './health-queries.ts'

/** Every endpoint of an environment with its health. There are at most a hundred. */
export async function listEndpoints(database: Database, environmentId: EnvironmentId): Promise<Endpoint[]> {
  const span = spanOf(3_600, 24)
  const since = new Date(span.from).toISOString()
  const [rows, hours, states, waiting] = await Promise.all([
    listEndpointRows(database, environmentId),
    listEndpointHours(database, environmentId, since),
    listEndpointStates(database, environmentId),
    countWaiting(database, environmentId),
  ])
  return rows.map((row) => {
    const mine = <T extends { subscription_id: string }>(all: readonly T[]) =>
      all.filter(({ subscription_id }) => subscription_id === row.id)
    return { ...row, health: healthOf(row, mine(hours), mine(states)[0], mine(waiting)[0]) }
  })
}

function healthOf(
  { disabled }: EndpointRow,
  hours: readonly EndpointHourRow[],
  state: EndpointStateRow | undefined,
  waiting: WaitingCount | undefined,
): Health {
  const span = spanOf(3_600, 24)
  const seriesBy = (pick: (hour: EndpointHourRow) => number) =>
    seriesOf(
      span,
      hours.map((hour) => ({ at: hour.hour, count: pick(hour) })),
    ).values
  const delivered = seriesBy((hour) => hour.delivered)
  const failed = seriesBy((hour) => hour.failed)
  const attempts = sum(delivered) + sum(failed)
  const isFailing = state?.failing_since != null
  return {
    state: disabled ? 'disabled' : isFailing ? 'failing' : attempts > 0 ? 'ok' : 'idle',
    hours: delivered.map((count, index) => ({ delivered: count, failed: failed[index] as number })),
    delivered_share: attempts === 0 ? null : sum(delivered) / attempts,
    p95_ms: state?.p95_ms ?? null,
    waiting: {
      count: Math.min(waiting?.count ?? 0, MOST_WAITING_COUNTED),
      is_more: (waiting?.count ?? 0) > MOST_WAITING_COUNTED,
    },
    oldest_waiting_at: waiting ? new Date(timeOfId(waiting.oldest_id)).toISOString() : null,
    failing_since: state?.failing_since ?? null,
    last_status: state?.last_status ?? null,
    last_failure: state?.last_failure ?? null,
    last_failure_code: failureCodeOf(state?.last_failure ?? null),
  }
}
