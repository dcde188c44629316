import type { EnvironmentId, Reader } from '../database/database.ts'
import { BEGAN, sumsOf, UNSUMMED } from './run-sql.ts'

/** Runs of one version that began on a day: those that showed a step, or that were over there for a reason. */
export interface RunSum {
  content_id: string
  version_id: string
  /** `2026-11-17`. */
  day: string
  step: string
  reason: string
  bucket: number
  runs: number
}

/** What is summed, what was over since, and what is open. */
export async function findRuns(db: Reader, environmentId: EnvironmentId, contentId: string): Promise<RunSum[]> {
  const rest = sumsOf('session.content_id = $2::uuid', UNSUMMED)
  const open = sumsOf(`session.content_id = $2::uuid and session.ended_at is null and session.completed_at is null`)
  return await db.queryUnprepared<RunSum & Record<string, unknown>>(
    `select content_id, version_id, day::text, step, reason, bucket, runs from content_days
      where environment_id = $1::int and content_id = $2::uuid
     union all select content_id, version_id, day::text, step, reason, bucket, runs from (${rest}) as rest
     union all select content_id, version_id, day::text, step, reason, bucket, runs from (${open}) as open`,
    [environmentId, contentId],
  )
}

export interface ContentFigures {
  content_id: string
  version_id: string
  /** Null of all days before those that are told apart. */
  day: string | null
  runs: number
  completed: number
}

interface FiguresOf {
  /** Of one content; without it of all. */
  contentId?: string
  /** Days from this one on are told apart; without it none. However long content is live, there are so few rows. */
  since?: string
}

/** The runs of each version by the day on which they began. */
export async function findFigures(
  db: Reader,
  environmentId: EnvironmentId,
  { contentId, since = 'infinity' }: FiguresOf = {},
): Promise<ContentFigures[]> {
  const of = (row: string) =>
    `${row}.environment_id = $1::int ${contentId === undefined ? '' : `and ${row}.content_id = $3::uuid`}`
  const apart = (day: string) => `case when ${day} >= $2::date then ${day} end as day`
  const live = (from: string, where: string) => `
     select content_id, version_id, ${apart(BEGAN)}, count(*)::int as runs, count(session.completed_at)::int as completed
       from ${from}
      where ${of('session')} and ${where}
      group by 1, 2, 3`
  return await db.queryUnprepared<ContentFigures & Record<string, unknown>>(
    `select content_id, version_id, day::text, sum(runs)::int as runs, sum(completed)::int as completed
       from (select content_id, version_id, ${apart('day')}, sum(runs)::int as runs,
                    coalesce(sum(runs) filter (where reason = 'completed'), 0)::int as completed
               from content_days as summed where ${of('summed')} and reason <> 'seen'
              group by 1, 2, 3
             union all ${live(UNSUMMED, 'true')}
             union all ${live('content_sessions as session', 'session.ended_at is null and session.completed_at is null')}) as figures
      group by 1, 2, 3`,
    [environmentId, since, ...(contentId === undefined ? [] : [contentId])],
  )
}
