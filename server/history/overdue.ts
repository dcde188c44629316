import { DAY_MS } from '../../contract/units.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'
import { isNotDeletedBy } from '../deletions/pending.ts'

export interface OverdueSession extends Record<string, unknown> {
  id: string
  userId: string
}

const EXPIRES_AFTER_DAYS = 30

/** Since when nothing was reported of a session that is over for it. `now`: by `retentionTime`, since the end is for good. */
export const idleSince = (now: number) => now - EXPIRES_AFTER_DAYS * DAY_MS

/**
 * Some sessions that are open and over: their publisher let them end, or nothing was reported of them since `idle`. Both are
 * found by the index of the open sessions of a content, however many have ended. It has no time of activity: such an index
 * would be written with every report. A session that is quiet for 30 days began before them, and of those that began then
 * few are still open.
 */
export async function findOverdueSessions(
  db: Queryable,
  environmentId: EnvironmentId,
  idle: number,
  most: number,
): Promise<OverdueSession[]> {
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
           and session.created_at < $3::timestamptz and session.last_activity_at < $3::timestamptz
         limit $2::int) as found
       where content.environment_id = $1::int
       limit $2::int)`,
    [environmentId, most, new Date(idle).toISOString()],
  )
}
