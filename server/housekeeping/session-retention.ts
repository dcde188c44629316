import type { Database, EnvironmentId, Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { deleteSessions } from '../deletions/sessions.ts'
import { FINISHED } from '../results/run-sql.ts'
import { listKeptDays } from './kept-days.ts'
import { deleteInSteps, type RetentionOptions } from './retention-steps.ts'

const STEP_ROWS = 500

/**
 * Deletes content sessions, with their receipts and answers, that ended longer ago than their environment keeps them. What a
 * user has seen (`content_states`) and the results by day (`content_days`) are rows of their own, and stay; so a session goes
 * only after it is summed. In steps with pauses, as `deleteOldEvents`. Returns the number of deleted sessions.
 */
export async function deleteOldSessions(database: Database, options: RetentionOptions): Promise<number> {
  const { stepRows = STEP_ROWS } = options
  return await deleteInSteps(await listKeptDays(database, 'keep_sessions_days'), options, (id, beforeMs) => {
    const before = new Date(beforeMs).toISOString()
    return async () => {
      const count = await inTransaction(database, (db) => deleteStep(db, id, before, stepRows))
      return { count, isMore: count === stepRows }
    }
  })
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
        and ${FINISHED} <= (select least(summed_until, coalesce(answers_until, '-infinity')) from content_sums where environment_id = $1::int)
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
