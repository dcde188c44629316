import type { Home, Range } from '../../../contract/dashboard/home.ts'
import { readCounts, type StepCount } from '../../counters/read.ts'
import { seriesOf, spanOf, sum } from '../../counters/series.ts'
import type { CounterStep } from '../../counters/steps.ts'
import type { Database, EnvironmentId } from '../../database/database.ts'
import { readShown } from '../live/environments.ts'

/** The counters of each range, and its steps. */
const spans: Record<Range, { step: CounterStep; seconds: number; length: number }> = {
  '1h': { step: 'minute', seconds: 60, length: 60 },
  '24h': { step: 'hour', seconds: 3_600, length: 24 },
  '7d': { step: 'hour', seconds: 6 * 3_600, length: 28 },
  '30d': { step: 'day', seconds: 86_400, length: 30 },
}

export async function eventsPerMinute(database: Database, id: EnvironmentId): Promise<Home['events_per_minute']> {
  const span = spanOf(60, 60)
  const series = seriesOf(span, await readCounts(database, id, 'event', 'minute', iso(span.from)))
  const highest = Math.max(...series.values)
  const at = span.from + series.values.indexOf(highest) * span.stepMs
  // The first events count at once, and not only when their minute is over.
  const now = Math.max(...series.values.slice(-2))
  return { now, highest, highest_at: highest === 0 ? null : iso(at), series }
}

export async function eventsPerDay(database: Database, id: EnvironmentId): Promise<Home['events_per_day']> {
  const span = spanOf(86_400, 30)
  const series = seriesOf(span, await readCounts(database, id, 'event', 'day', iso(span.from)))
  return { total: sum(series.values), series }
}

export function rangeStart(range: Range): number {
  const { seconds, length } = spans[range]
  return spanOf(seconds, length).from
}

/** Requests of a range by their outcome, and over time. */
export async function requestsOf(
  database: Database,
  environmentId: EnvironmentId,
  environments: readonly EnvironmentId[],
  range: Range,
): Promise<Home['requests']> {
  const { step, seconds, length } = spans[range]
  const span = spanOf(seconds, length)
  const rows = await countsOf(database, environmentId, environments, step, span.from)
  const outcomes = outcomesOf(rows)
  const part = (holds: (status: number) => boolean) =>
    seriesOf(
      span,
      rows.filter(({ name }) => holds(statusOf(name))),
    )
  return {
    total: sum(outcomes.map(({ count }) => count)),
    accepted: sum(outcomes.filter(({ status }) => status < 400).map(({ count }) => count)),
    outcomes,
    accepted_series: part((status) => status < 400),
    rejected_series: part((status) => status >= 400 && status < 500),
    failed_series: part((status) => status >= 500),
  }
}

export async function countsOf(
  database: Database,
  environmentId: EnvironmentId,
  environments: readonly EnvironmentId[],
  step: CounterStep,
  sinceMs: number,
): Promise<StepCount[]> {
  return await readShown(database, environmentId, environments, sinceMs, (id, since) =>
    readCounts(database, id, 'request', step, since),
  )
}

/** A name is a status and, for a refusal, its code. */
export function statusOf(name: string): number {
  return Number(name.split(' ', 1)[0])
}

function outcomesOf(rows: readonly StepCount[]): Home['requests']['outcomes'] {
  const groups = Map.groupBy(rows, ({ name }) => name)
  return [...groups]
    .map(([name, ofName]) => ({
      status: statusOf(name),
      code: name.split(' ')[1] ?? null,
      count: sum(ofName.map(({ count }) => count)),
    }))
    .sort((a, b) => a.status - b.status || b.count - a.count)
}

const iso = (ms: number) => new Date(ms).toISOString()
