import type { Home, Range, Rejection } from '../../../contract/dashboard/home.ts'
import { readCounts, readTotals, type StepCount } from '../../counters/read.ts'
import { sum } from '../../counters/series.ts'
import { startOf } from '../../counters/steps.ts'
import type { Database, EnvironmentId } from '../../database/database.ts'
import { servesDemo } from '../../settings/config.ts'
import type { DashboardHandlers } from '../call.ts'
import { environmentsShownWith } from '../live/environments.ts'
import { readErrorsOf, reasonsOf } from '../live/errors.ts'
import type { DashboardParts } from '../parts.ts'
import { UrgentFinding } from '../system/urgent-finding.ts'
import { listEndpoints } from '../webhooks/health.ts'
import { countsOf, eventsPerDay, eventsPerMinute, rangeStart, requestsOf, statusOf } from './figures.ts'
import { GuidanceNotices } from './guidance.ts'
import { hasEvents } from './queries.ts'
import { verdictOf } from './verdict.ts'

const MOST_SHOWN = 5
const VERDICT_MS = 10 * 60 * 1000

/** The figures of an environment, and its verdict as text. */
export function homeHandlers({ services, config }: DashboardParts): Pick<DashboardHandlers, 'getHome'> {
  const { database } = services
  const notices = new GuidanceNotices(services)
  const urgent = new UrgentFinding(config, database)
  return {
    getHome: async ({ environment, query }) => ({
      ...(await readHome(database, environment.id, query.range ?? '24h', await urgent.read())),
      guidance: await notices.read(environment.id),
      has_demo: servesDemo(config),
    }),
  }
}

async function readHome(
  database: Database,
  id: EnvironmentId,
  range: Range,
  finding: string | undefined,
): Promise<Omit<Home, 'guidance' | 'has_demo'>> {
  const now = Date.now()
  const environments = await environmentsShownWith(database, id)
  const [perMinute, perDay, requests, errors, totals, endpoints, isUsed, tracked, today, recent] = await Promise.all([
    eventsPerMinute(database, id),
    eventsPerDay(database, id),
    requestsOf(database, id, environments, range),
    readErrorsOf(database, id, environments, rangeStart(range)),
    readTotals(database, id),
    listEndpoints(database, id),
    hasEvents(database, id),
    mostTracked(database, id),
    createdToday(database, id),
    countsOf(database, id, environments, 'minute', now - VERDICT_MS),
  ])
  const reasons = reasonsOf(errors).map(({ rejection }) => rejection)
  const summaries = endpoints.map(({ topics, api_version, created_at, ...summary }) => summary)
  return {
    range,
    verdict: verdictOf({
      ...recentOutcomes(recent, reasons, now),
      hasData: isUsed || totals.users > 0,
      lastRequestAt: totals.last_request_at,
      endpoints: summaries,
      finding,
    }),
    has_events: isUsed,
    has_users: totals.users > 0,
    has_endpoints: endpoints.length > 0,
    events_per_minute: perMinute,
    events_per_day: perDay,
    requests,
    rejections: { data: reasons.slice(0, MOST_SHOWN), reasons: reasons.length },
    users: { total: totals.users, today: today.users },
    groups: { total: totals.groups, today: today.groups },
    deliveries: waitingOf(summaries),
    endpoints: summaries,
    most_tracked: tracked,
    at: new Date(now).toISOString(),
  }
}

/** How the requests of the last ten minutes ended, and the most frequent reason for a refusal. */
function recentOutcomes(counts: readonly StepCount[], reasons: readonly Rejection[], now: number) {
  const count = (holds: (status: number) => boolean) =>
    sum(counts.filter(({ name }) => holds(statusOf(name))).map((row) => row.count))
  const isRefused = (status: number) => status < 500 && status !== 429
  const isRecent = ({ last_at }: Rejection) => Date.parse(last_at) >= now - VERDICT_MS
  return {
    now,
    total: count(() => true),
    rateLimited: count((status) => status === 429),
    rejected: count((status) => status >= 400 && isRefused(status)),
    topRejection: reasons.find((reason) => isRecent(reason) && isRefused(reason.status)),
  }
}

function waitingOf(endpoints: Home['endpoints']): Home['deliveries'] {
  const waiting = endpoints.map(({ health }) => health.waiting)
  const oldest = endpoints.flatMap(({ health }) => health.oldest_waiting_at ?? []).sort()
  return {
    waiting: sum(waiting.map(({ count }) => count)),
    is_more: waiting.some(({ is_more }) => is_more),
    oldest_at: oldest[0] ?? null,
  }
}

const today = () => new Date(startOf('day', Date.now())).toISOString()

async function mostTracked(database: Database, id: EnvironmentId): Promise<Home['most_tracked']> {
  const rows = await readCounts(database, id, 'event_name', 'day', today())
  const data = rows.map(({ name, count }) => ({ name, count })).sort((a, b) => b.count - a.count)
  return { data: data.slice(0, MOST_SHOWN), names: data.length }
}

async function createdToday(database: Database, id: EnvironmentId): Promise<{ users: number; groups: number }> {
  const [users, groups] = await Promise.all([
    readCounts(database, id, 'user', 'day', today()),
    readCounts(database, id, 'group', 'day', today()),
  ])
  return { users: sum(users.map(({ count }) => count)), groups: sum(groups.map(({ count }) => count)) }
}
