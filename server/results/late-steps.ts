import type { EnvironmentId, Transaction } from '../database/database.ts'
import { lockSums } from './lock-sums.ts'
import { BEGAN, FINISHED } from './run-sql.ts'

/** A step that was seen, or a task that was completed, in a run that was completed before. */
export interface LateStep {
  readonly sessionId: string
  readonly step: string
}

/**
 * Adds late steps to the sums of the runs that are summed already; the others are summed with them. The row of `content_sums`
 * stays locked until the commit, so that no sum reads these runs meanwhile.
 */
export async function addLateSteps(
  db: Transaction,
  environmentId: EnvironmentId,
  late: readonly LateStep[],
): Promise<void> {
  const { summed_until } = await lockSums(db, environmentId, 'for share')
  await db.query(
    `insert into content_days (environment_id, content_id, version_id, day, step, reason, bucket, runs)
     select $1::int, content_id, version_id, day, step, 'seen', 0, runs
       from (select session.content_id, session.version_id, ${BEGAN} as day, late.step collate "C" as step, count(*)::int as runs
               from unnest($2::uuid[], $3::text[]) as late (id, step)
               join content_sessions as session on session.environment_id = $1::int and session.id = late.id
              where ${FINISHED} <= $4::timestamptz
              group by 1, 2, 3, 4
              order by 1, 2, 3, 4) as summed
     on conflict (environment_id, content_id, version_id, day, step, reason, bucket)
        do update set runs = content_days.runs + excluded.runs`,
    [environmentId, late.map(({ sessionId }) => sessionId), late.map(({ step }) => step), summed_until],
  )
}
