import type { EnvironmentId, Reader } from '../database/database.ts'
import { ALL_TIME, ofContent } from './place.ts'
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

/** Whose runs are read: of one version or of all, of those that began on this day or later. */
export interface RunsOf {
  versionId?: string | undefined
  since?: string
}

/** What is summed, what was over since, and what is open. */
export async function findRuns(
  db: Reader,
  environmentId: EnvironmentId,
  contentId: string,
  { versionId, since = ALL_TIME }: RunsOf = {},
): Promise<RunSum[]> {
  const of = (row: string) => ofContent(row, versionId)
  const rest = sumsOf(of('session'), UNSUMMED)
  const open = sumsOf(`${of('session')} and session.ended_at is null and session.completed_at is null`)
  const columns = 'content_id, version_id, day::text, step, reason, bucket, runs'
  return await db.queryUnprepared<RunSum & Record<string, unknown>>(
    `select ${columns} from content_days as summed
      where environment_id = $1::int and ${of('summed')} and day >= $3::date
     union all select ${columns} from (${rest}) as rest where day >= $3::date
     union all select ${columns} from (${open}) as open where day >= $3::date`,
    [environmentId, contentId, since, ...(versionId === undefined ? [] : [versionId])],
  )
}

/** Runs of one version, whatever the day on which they began. */
export type VersionSum = Omit<RunSum, 'content_id' | 'day'>

/** The runs of these versions that began on a day or later. However long a content is live, there are so few rows. */
export async function findSums(
  db: Reader,
  environmentId: EnvironmentId,
  contentId: string,
  versionIds: readonly string[],
  since: string,
): Promise<VersionSum[]> {
  const of = (row: string) => `${row}.content_id = $2::uuid and ${row}.version_id = any($3::uuid[])`
  const rest = sumsOf(of('session'), UNSUMMED)
  const open = sumsOf(`${of('session')} and session.ended_at is null and session.completed_at is null`)
  const columns = 'version_id, step, reason, bucket, runs'
  return await db.queryUnprepared<VersionSum & Record<string, unknown>>(
    `select version_id, step, reason, bucket, sum(runs)::int as runs
       from (select ${columns} from content_days as summed
              where environment_id = $1::int and ${of('summed')} and day >= $4::date
             union all select ${columns} from (${rest}) as rest where day >= $4::date
             union all select ${columns} from (${open}) as open where day >= $4::date) as sums
      group by 1, 2, 3, 4`,
    [environmentId, contentId, versionIds, since],
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
