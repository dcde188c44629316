import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, EnvironmentId, Queryable } from '../database/database.ts'
import { deleteFoundEvents, type FoundEvents } from '../deletions/steps.ts'
import { leastIdAt } from '../ids.ts'

const DAY_MS = 86_400_000
/** Takes about 30 ms of PostgreSQL. */
const STEP_ROWS = 1_000
const ROUND_MS = 2_000

export interface EventRetentionOptions {
  /** By `retentionTime`. */
  now: number
  stepRows?: number
  roundMs?: number
}

/**
 * Deletes events that are older than their environment keeps them, in small steps. After each step it pauses as long as the
 * step took, so it uses at most half of one connection. The id has the time of storing, so the primary key finds the
 * oldest. Concurrent nodes take different rows. Returns the number of deleted events.
 */
export async function deleteOldEvents(database: Database, options: EventRetentionOptions): Promise<number> {
  const { now, stepRows = STEP_ROWS, roundMs = ROUND_MS } = options
  const endsAt = performance.now() + roundMs
  let deleted = 0
  for (const { id, days } of await listKeptDays(database)) {
    const before = leastIdAt(now - days * DAY_MS)
    for (let afterId: string | null = leastIdAt(0); afterId && performance.now() < endsAt; ) {
      const began = performance.now()
      const { count, lastId }: FoundEvents = await deleteStep(database, id, afterId, before, stepRows)
      deleted += count
      afterId = count === stepRows ? lastId : null
      if (afterId) await sleep(performance.now() - began)
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

/** Starts after the last event of the step before: from the start, it would read past all that these steps have deleted. */
async function deleteStep(
  db: Queryable,
  environmentId: EnvironmentId,
  afterId: string,
  before: string,
  stepRows: number,
): Promise<FoundEvents> {
  const find = `
    select id, ctid as row_id from events
     where environment_id = $1::int and id > $2::uuid and id < $3::uuid
     order by id
     limit $4::int
       for update skip locked`
  const text = deleteFoundEvents(find, db.isDistributed)
  const [row] = await db.query<FoundEvents & Record<string, unknown>>(text, [environmentId, afterId, before, stepRows])
  return row as FoundEvents
}

/** Null keeps them forever. */
export async function setKeptDays(db: Queryable, environmentId: EnvironmentId, days: number | null): Promise<void> {
  await db.query('update environments set keep_events_days = $2::int where id = $1::int', [environmentId, days])
}
