import { LEASE_SECONDS } from '../../contract/sdk/protocol.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'

/**
 * Whether this browser holds the claim or session, or was the last to hold it. The row of the claim is deleted at the end: a
 * session that has just ended counts for the time of a lease, since the page sends its end and what its button starts at once.
 */
export async function isHeldBy(
  db: Queryable,
  environmentId: EnvironmentId,
  id: string,
  holder: string,
): Promise<boolean> {
  const [found] = await db.query<{ is_held: boolean }>(
    `select exists (
              select from content_claims
               where environment_id = $1::int and id = $2::uuid and holder = $3::text)
         or exists (
              select from content_sessions
               where environment_id = $1::int and id = $2::uuid
                 and ended_at > now() - make_interval(secs => $4::int)) as is_held`,
    [environmentId, id, holder, LEASE_SECONDS],
  )
  return found?.is_held ?? false
}
