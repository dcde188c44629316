import type { Database, EnvironmentId, Queryable } from '../database/database.ts'
import { deleteFoundEvents, type FoundEvents } from '../deletions/events.ts'
import { leastIdAt } from '../ids.ts'
import { listKeptDays } from './kept-days.ts'
import { deleteInSteps, type RetentionOptions } from './retention-steps.ts'

/** Takes about 30 ms of PostgreSQL. */
const STEP_ROWS = 1_000

/**
 * Deletes events that are older than their environment keeps them, in small steps. The id has the time of storing, so the
 * primary key finds the oldest. Concurrent nodes take different rows. Returns the number of deleted events.
 */
export async function deleteOldEvents(database: Database, options: RetentionOptions): Promise<number> {
  const { stepRows = STEP_ROWS } = options
  return await deleteInSteps(await listKeptDays(database, 'keep_events_days'), options, (id, beforeMs) => {
    const before = leastIdAt(beforeMs)
    let afterId = leastIdAt(0)
    return async () => {
      const { count, lastId } = await deleteStep(database, id, afterId, before, stepRows)
      afterId = lastId ?? afterId
      return { count, isMore: count === stepRows }
    }
  })
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
