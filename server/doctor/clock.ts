import type pg from 'pg'
import { DatabaseClock, SET_MS } from '../database/clock.ts'
import { isUnreachable } from '../database/errors.ts'
import { type Queryable, queryableOf } from '../database/queryable.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Whether the clocks agree, and whether a wrong one has left deliveries that wait for a time that is far away. */
export async function checkClock(client: pg.ClientBase): Promise<Finding> {
  const db = queryableOf(client)
  const { aheadMs } = await new DatabaseClock().read(db)
  return judgeClock(aheadMs, await hasStuckDeliveries(db), await leapDays(db))
}

/** By how many whole days the clock of the database was set ahead, while that is not believed yet. */
async function leapDays(db: Pick<Queryable, 'query'>): Promise<number> {
  const [row] = await db.query<{ days: number }>(
    `select floor(extract(epoch from now() - at) / 86400)::float8 as days
       from retention_clock
      where seen_at > now() - interval '2 hours'`,
    [],
  )
  return row?.days ?? 0
}

/** While a worker of a sharded PostgreSQL is down, another finding says so. */
async function hasStuckDeliveries(db: Pick<Queryable, 'query'>): Promise<boolean> {
  const found = db.query(
    `select 1 from webhook_deliveries where state = 0 and due_at > now() + interval '2 minutes' limit 1`,
    [],
  )
  return (await found.catch(emptyWhenUnreachable)).length > 0
}

function emptyWhenUnreachable(error: unknown): [] {
  if (!isUnreachable(error)) throw error
  return []
}

export function judgeClock(aheadMs: number, hasStuck: boolean, leap = 0): Finding {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000).toLocaleString('en')
  if (hasStuck)
    return problem(
      'clock',
      'webhook deliveries wait for a time in the future, because a clock was wrong',
      'Set the clocks of the database and of every node right (NTP); a running server then sends these deliveries.',
    )
  if (leap > 1)
    return warning(
      'clock',
      `the clock of the database was set ${leap} days ahead, or no server was running for so long; old data is deleted by a clock that follows by a day an hour`,
      'If the date of the database is wrong, set it right (NTP) before that data is deleted.',
    )
  if (Math.abs(aheadMs) <= SET_MS) return ok('clock', 'this machine and the database have the same time')
  return warning(
    'clock',
    `the clock of this machine is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} that of the database`,
    'Set both clocks right (NTP).',
  )
}
