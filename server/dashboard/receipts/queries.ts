import type { EnvironmentId, Queryable } from '../../database/database.ts'
import { isNotDeletedBy } from '../../deletions/pending.ts'

export interface RunRow {
  id: string
  state: string
  end_reason: string | null
  version: number | null
  created_at: string
  ended_at: string | null
  /** JSON text. */
  receipt: string | null
}

const MOST_RUNS = 10

/** The newest runs of a user through a content, with the decisions that led to them. */
export async function findRuns(
  db: Queryable,
  environmentId: EnvironmentId,
  userId: string,
  contentId: string,
): Promise<RunRow[]> {
  return await db.query<RunRow & Record<string, unknown>>(
    `select session.id, session.state, session.end_reason, version.number as version, session.created_at,
            session.ended_at, case when ${isNotDeletedBy('session', 'group')} then session.receipt::text end as receipt
       from content_sessions as session
       left join content_versions as version
         on version.environment_id = session.environment_id and version.id = session.version_id
      where session.environment_id = $1::int and session.user_id = $2::text and session.content_id = $3::uuid
        and ${isNotDeletedBy('session', 'user')}
      order by session.created_at desc, session.id desc
      limit ${MOST_RUNS}`,
    [environmentId, userId, contentId],
  )
}
