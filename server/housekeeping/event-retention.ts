import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, EnvironmentId, Queryable } from '../database/database.ts'
import { leastIdAt } from '../ids.ts'

const DAY_MS = 86_400_000
/** Takes about 30 ms of PostgreSQL. */
const STEP_ROWS = 1_000
const ROUND_MS = 2_000

export interface RetentionOptions {
  now?: number
  stepRows?: number
  roundMs?: number
}

/**
 * Deletes events that are older than their environment keeps them, in small steps. After each step it pauses as long as the
 * step took, so it uses at most half of one connection. The id has the time of storing, so the primary key finds the
 * oldest. Concurrent nodes take different rows. Returns the number of deleted events.
 */
export async function deleteOldEvents(database: Database, options: RetentionOptions = {}): Promise<number> {
  const { now = Date.now(), stepRows = STEP_ROWS, roundMs = ROUND_MS } = options
  const endsAt = performance.now() + roundMs
  let deleted = 0
  for (const { id, days } of await listKeptDays(database)) {
    const before = leastIdAt(now - days * DAY_MS)
    for (let gone = stepRows; gone === stepRows && performance.now() < endsAt; ) {
      const began = performance.now()
      gone = await deleteStep(database, id, before, stepRows)
      deleted += gone
      if (gone === stepRows) await sleep(performance.now() - began)
    }
  }
  return deleted
}

async function listKeptDays(db: Queryable): Promise<{ id: EnvironmentId; days: number }[]> {
  return await db.query<{ id: EnvironmentId; days: number }>(
    'select id, keep_events_days as days from environments where keep_events_days is not null order by id',
    [],
  )
}

async function deleteStep(
  db: Queryable,
  environmentId: EnvironmentId,
  before: string,
  stepRows: number,
): Promise<number> {
  const [row] = await db.query<{ gone: number }>(
    `with gone as (
       delete from events
        where environment_id = $1::int and id = any(array(
          select id from events
           where environment_id = $1::int and id < $2::uuid
           order by id
           limit $3::int
             for update skip locked))
       returning 1)
     select count(*)::int as gone from gone`,
    [environmentId, before, stepRows],
  )
  return row?.gone ?? 0
}

/** Null keeps them forever. */
export async function setKeptDays(db: Queryable, environmentId: EnvironmentId, days: number | null): Promise<void> {
  await db.query('update environments set keep_events_days = $2::int where id = $1::int', [environmentId, days])
}
