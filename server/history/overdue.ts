import type { EnvironmentId, Queryable } from '../database/database.ts'
import { isNotDeletedBy } from '../deletions/pending.ts'

export interface OverdueSession extends Record<string, unknown> {
  id: string
  userId: string
}

/** Without activity for so long a session is over. */
export const EXPIRES_AFTER_DAYS = 30

/**
 * Some sessions that are open and over: their publisher let them end, or nothing was reported of them for 30 days. Both are
 * found by the index of the open sessions of a content, however many have ended. It has no time of activity: such an index
 * would be written with every report. A session that is quiet for 30 days began before them, and of those that began then
 * few are still open.
 */
export async function findOverdueSessions(
  db: Queryable,
  environmentId: EnvironmentId,
  most: number,
): Promise<OverdueSession[]> {
  const quietSince = `now() - interval '${EXPIRES_AFTER_DAYS} days'`
  const isOpen = `session.environment_id = $1::int and session.ended_at is null and ${isNotDeletedBy('session', 'user')}`
  return await db.query<OverdueSession>(
    `(select found.* from content cross join lateral (
        select session.id, session.user_id as "userId" from content_sessions as session
         where ${isOpen} and session.content_id = content.id
           and (content.published_version_id is null or session.created_at < content.ends_before)
         limit $2::int) as found
       where content.environment_id = $1::int and (content.published_version_id is null or content.ends_before is not null)
       limit $2::int)
     union
     (select found.* from content cross join lateral (
        select session.id, session.user_id as "userId" from content_sessions as session
         where ${isOpen} and session.content_id = content.id
           and session.created_at < ${quietSince} and session.last_activity_at < ${quietSince}
         limit $2::int) as found
       where content.environment_id = $1::int
       limit $2::int)`,
    [environmentId, most],
  )
}
