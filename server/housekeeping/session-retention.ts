import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, EnvironmentId, Queryable, Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { deleteSessions } from '../history/removal.ts'
import { FINISHED } from '../results/run-sql.ts'

const DAY_MS = 86_400_000
const STEP_ROWS = 500
const ROUND_MS = 2_000

export interface SessionRetentionOptions {
  /** By `retentionTime`. */
  now: number
  stepRows?: number
  roundMs?: number
}

/**
 * Deletes content sessions, with their receipts and answers, that ended longer ago than their environment keeps them. What a
 * user has seen (`content_states`) and the results by day (`content_days`) are rows of their own, and stay; so a session goes
 * only after it is summed. In steps with pauses, as `deleteOldEvents`. Returns the number of deleted sessions.
 */
export async function deleteOldSessions(database: Database, options: SessionRetentionOptions): Promise<number> {
  const { now, stepRows = STEP_ROWS, roundMs = ROUND_MS } = options
  const endsAt = performance.now() + roundMs
  let deleted = 0
  for (const { id, days } of await listKeptSessionDays(database)) {
    const before = new Date(now - days * DAY_MS).toISOString()
    for (let isMore = true; isMore && performance.now() < endsAt; ) {
      const began = performance.now()
      const count = await inTransaction(database, (db) => deleteStep(db, id, before, stepRows))
      deleted += count
      isMore = count === stepRows
      if (isMore) await sleep(performance.now() - began)
    }
  }
  return deleted
}

async function listKeptSessionDays(db: Queryable): Promise<{ id: EnvironmentId; days: number }[]> {
  return await db.query<{ id: EnvironmentId; days: number }>(
    'select id, keep_sessions_days as days from environments where keep_sessions_days is not null order by id',
    [],
  )
}

async function deleteStep(
  db: Transaction,
  environmentId: EnvironmentId,
  before: string,
  stepRows: number,
): Promise<number> {
  const rows = await db.query<{ id: string }>(
    `select id from content_sessions as session
      where environment_id = $1::int and ended_at < $2::timestamptz and ${FINISHED} < $2::timestamptz
        and ${FINISHED} <= (select summed_until from content_sums where environment_id = $1::int)
      order by ${FINISHED}
      limit $3::int
        for update skip locked`,
    [environmentId, before, stepRows],
  )
  if (rows.length === 0) return 0
  await deleteSessions(
    db,
    environmentId,
    rows.map(({ id }) => id),
  )
  return rows.length
}

/** Null keeps them forever. */
export async function setKeptSessionDays(
  db: Queryable,
  environmentId: EnvironmentId,
  days: number | null,
): Promise<void> {
  await db.query('update environments set keep_sessions_days = $2::int where id = $1::int', [environmentId, days])
}
