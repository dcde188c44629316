import { bucketSql } from './buckets.ts'

/** When a run was over. Indexed. */
export const FINISHED = 'coalesce(session.completed_at, session.ended_at)'

/**
 * The runs that were over since the last sum, as `session`. PostgreSQL does not estimate by what it knows of a partial index: of
 * one bound it expects a third of all runs, of two bounds one in 200. Read for each row of `since`, they start no parallel
 * workers, which took 40 ms to find nothing. One statement sees the sums and the rest of one moment: no run counts twice.
 */
export const UNSUMMED = unsummed('summed_until')

/** The runs whose answers are not summed yet. */
export const UNSUMMED_ANSWERS = unsummed('answers_until')

function unsummed(until: 'summed_until' | 'answers_until'): string {
  return `
  (select coalesce(max(${until}), '-infinity') as at from content_sums where environment_id = $1::int) as since
  cross join lateral (
    select session.* from content_sessions as session
     where session.environment_id = $1::int and ${FINISHED} > since.at and ${FINISHED} < 'infinity'
    offset 0) as session`
}

/** The day on which a run began. */
export const BEGAN = `(session.created_at at time zone 'UTC')::date`

/**
 * The rows of `content_days` that runs come to: where and how each was over, and one for each step that it has shown, or task
 * of a checklist that was completed in it. A run that is still open has the reason `open`.
 */
export function sumsOf(where: string, from = 'content_sessions as session'): string {
  const ended = `case when session.completed_at is not null then 'completed' else coalesce(session.end_reason, 'open') end`
  const duration = bucketSql('(session.completed_at - session.created_at)')
  return `
    select content_id, version_id, ${BEGAN} as day, part.step, part.reason, part.bucket, count(*)::int as runs
      from ${from}
     cross join lateral (
           select coalesce(session.step, '') as step, ${ended} as reason,
                  case when session.completed_at is null then 0 else ${duration} end as bucket
           union all
           select step, 'seen', 0
             from jsonb_array_elements_text(case session.type when 'checklist' then session.tasks else session.steps end)
               as seen (step)) as part
     where session.environment_id = $1::int and ${where}
     group by 1, 2, 3, 4, 5, 6`
}
