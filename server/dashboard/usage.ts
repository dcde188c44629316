import type { Usage } from '../../contract/dashboard/usage.ts'
import { plans } from '../../contract/plans.ts'
import { changeControl } from '../accounts/change.ts'
import { listEnvironmentsOf } from '../accounts/environment-queries.ts'
import { findIdleHours, lockAccount, updateIdleHours } from '../accounts/queries.ts'
import { record } from '../audit/record.ts'
import { readCounts, readTotals, type StepCount } from '../counters/read.ts'
import { seriesOf, spanOf, sum } from '../counters/series.ts'
import type { Database } from '../database/database.ts'
import { actorOf, type DashboardHandlers, type MemberCaller } from './call.ts'
import { confirmRole } from './member-rules.ts'
import type { DashboardParts } from './parts.ts'
import { sessionOutput } from './session.ts'

const DAY_MINUTES = 24 * 60

/** The plan, its usage, and the settings of the account. The plan is changed by the operator: `usher accounts set-plan`. */
export function usageHandlers(parts: DashboardParts): Pick<DashboardHandlers, 'getUsage' | 'updateAccount'> {
  const { database } = parts.services
  return {
    getUsage: ({ grant }) => readUsage(database, grant),

    updateAccount: async (call) => {
      const { grant, body, exchange } = call
      await changeControl(database, async (transaction) => {
        await lockAccount(transaction, grant.accountId)
        await confirmRole(transaction, grant, 'owner')
        const before = { idle_hours: await findIdleHours(transaction, grant.accountId) }
        const after = { ...before, ...body }
        await updateIdleHours(transaction, grant.accountId, after.idle_hours)
        await record(transaction, actorOf(call), {
          action: 'account.changed',
          target: { id: grant.accountId, name: grant.session.account_name },
          before,
          after,
        })
      })
      return await sessionOutput(parts, grant.token, parts.apiUrl(exchange))
    },
  }
}

async function readUsage(database: Database, { accountId, session }: MemberCaller): Promise<Usage> {
  const { requestsPerMinute, groups } = plans[session.plan]
  const span = spanOf(60, DAY_MINUTES)
  const since = new Date(span.from).toISOString()
  const environments = await listEnvironmentsOf(database, accountId)
  const counted = await Promise.all(
    environments.map(async ({ id, slug, name }) => {
      const rows = await readCounts(database, id, 'request', 'minute', since)
      const totals = await readTotals(database, id)
      return { slug, name, rows, totals }
    }),
  )
  const rows = counted.flatMap((environment) => environment.rows)
  const day = seriesOf(span, rows).values
  const highest = Math.max(...day)
  return {
    plan: session.plan,
    requests_per_minute: requestsPerMinute,
    has_groups: groups,
    requests: seriesOf(spanOf(60, 60), rows),
    highest,
    highest_at: highest === 0 ? null : new Date(span.from + day.indexOf(highest) * span.stepMs).toISOString(),
    rate_limited_24_hours: countOf(rows.filter(({ name }) => name.startsWith('429'))),
    environments: counted.map(({ slug, name, rows: own, totals }) => ({
      slug,
      name,
      requests_24_hours: countOf(own),
      users: totals.users,
      groups: totals.groups,
    })),
  }
}

function countOf(rows: readonly StepCount[]): number {
  return sum(rows.map(({ count }) => count))
}
