import { sortedUnique } from '../arrays.ts'
import type { Work } from '../batches/work.ts'
import type { EnvironmentId, OpenTransaction, Transaction } from '../database/database.ts'
import { ofOne } from '../database/parts.ts'
import { deleteSessions } from '../history/removal.ts'
import { lockObjects } from '../objects/queries.ts'
import { users } from '../objects/tables.ts'

/** Forgets one session of a user, or all that the user has of a content. */
export interface ForgetJob {
  readonly userId: string
  readonly contentId: string
  /** Without it, all. */
  readonly sessionId?: string | undefined
}

/**
 * Deletes sessions as if they had never been, and makes the state of the content from those that are left. A work of its own:
 * no claim is in its batch, and one that was acknowledged before is stored.
 */
export const forgetSessions: Work<ForgetJob, true> = async (transaction, environmentId, jobs) => {
  await lockObjects(transaction, users, ofOne(environmentId, sortedUnique(jobs.map(({ userId }) => userId))))
  for (const job of jobs) await forget(transaction, environmentId, job)
  return jobs.map(() => true)
}

async function forget(transaction: OpenTransaction, environmentId: EnvironmentId, job: ForgetJob): Promise<void> {
  const ids = job.sessionId === undefined ? await findSessions(transaction, environmentId, job) : [job.sessionId]
  await deleteSessions(transaction, environmentId, ids)
  await deleteClaimsOf(transaction, environmentId, job)
  await makeState(transaction, environmentId, job)
}

async function findSessions(
  db: Transaction,
  environmentId: EnvironmentId,
  { userId, contentId }: ForgetJob,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    'select id from content_sessions where environment_id = $1::int and user_id = $2::text and content_id = $3::uuid',
    [environmentId, userId, contentId],
  )
  return rows.map(({ id }) => id)
}

/** Of one session its claim only, of all also the claims that are not shown yet. */
async function deleteClaimsOf(
  db: Transaction,
  environmentId: EnvironmentId,
  { userId, contentId, sessionId }: ForgetJob,
): Promise<void> {
  await db.query(
    `delete from content_claims
      where environment_id = $1::int and user_id = $2::text and content_id = $3::uuid
        and ($4::uuid is null or id = $4::uuid)`,
    [environmentId, userId, contentId, sessionId ?? null],
  )
}

const KEY = 'environment_id = $1::int and user_id = $2::text and content_id = $3::uuid'

async function makeState(
  db: Transaction,
  environmentId: EnvironmentId,
  { userId, contentId }: ForgetJob,
): Promise<void> {
  const values = [environmentId, userId, contentId]
  await db.query(`delete from content_states where ${KEY}`, values)
  await db.query(
    `insert into content_states (environment_id, user_id, content_id, started, first_started_at, last_started_at,
            previous_started_at, completed_at, dismissed_at, last_ended_at, active_session_id)
     select environment_id, user_id, content_id, count(*) filter (where counts), min(created_at) filter (where counts),
            max(created_at) filter (where counts), (array_agg(created_at order by created_at desc) filter (where counts))[2],
            max(completed_at), max(ended_at) filter (where state = 'dismissed'), max(ended_at),
            (array_agg(id) filter (where state = 'active' and ended_at is null))[1]
       from content_sessions
      where ${KEY} and not is_preview
      group by environment_id, user_id, content_id`,
    values,
  )
}
