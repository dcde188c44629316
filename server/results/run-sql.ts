import { bucketSql } from './buckets.ts'

/** When a run was over. Indexed. */
export const FINISHED = 'coalesce(session.completed_at, session.ended_at)'

/** The day on which a run began. */
export const BEGAN = `(session.created_at at time zone 'UTC')::date`

/**
 * The rows of `content_days` that runs come to: where and how each was over, and one for each step that it has shown. A run
 * that is still open has the reason `open`.
 */
export function sumsOf(where: string): string {
  const ended = `case when session.completed_at is not null then 'completed' else coalesce(session.end_reason, 'open') end`
  const duration = bucketSql('(session.completed_at - session.created_at)')
  return `
    select content_id, version_id, ${BEGAN} as day, part.step, part.reason, part.bucket, count(*)::int as runs
      from content_sessions as session
     cross join lateral (
           select coalesce(session.step, '') as step, ${ended} as reason,
                  case when session.completed_at is null then 0 else ${duration} end as bucket
           union all
           select step, 'seen', 0 from jsonb_array_elements_text(session.steps) as seen (step)) as part
     where session.environment_id = $1::int and not session.is_preview and ${where}
     group by 1, 2, 3, 4, 5, 6`
}
