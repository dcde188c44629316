import { type AuditEntry, recordAll } from '../audit/record.ts'
import { lockAsking, type Right } from '../batches/right.ts'
import type { Work } from '../batches/work.ts'
import type { EnvironmentId, OpenTransaction, Transaction } from '../database/database.ts'
import { sortedUnique } from '../database/lock-order.ts'
import { ofOne } from '../database/parts.ts'
import { isNotDeletedBy } from '../deletions/pending.ts'
import { deleteSessions } from '../deletions/sessions.ts'
import type { ApiError } from '../errors.ts'
import { countedColumns, countedStates, countsNow } from '../history/counted.ts'
import { lockObjects } from '../objects/queries.ts'
import { users } from '../objects/tables.ts'

/** Forgets one session of a user, or all that the user has of a content. */
export interface ForgetJob {
  readonly userId: string
  readonly contentId: string
  /** Without it, all. */
  readonly sessionId?: string | undefined
  /** The entry of a change by a member. */
  readonly audit?: AuditEntry
  /** Of a member. */
  readonly right?: Right
}

/**
 * Deletes sessions as if they had never been, and makes the state of the content from those that are left. A work of its own:
 * no claim is in its batch, and one that was acknowledged before is stored.
 */
export const forgetSessions: Work<ForgetJob, true> = async (transaction, environmentId, jobs) => {
  await lockObjects(transaction, users, ofOne(environmentId, sortedUnique(jobs.map(({ userId }) => userId))))
  await lockAsking(
    transaction,
    jobs.map(({ right }) => right),
  )
  const results: (true | ApiError)[] = []
  for (const job of jobs) {
    const refusal = await job.right?.(transaction, false)
    results.push(refusal ?? true)
    if (refusal) continue
    await forget(transaction, environmentId, job)
    await recordAll(transaction, job.audit ? [job.audit] : [])
  }
  return results
}

async function forget(transaction: OpenTransaction, environmentId: EnvironmentId, job: ForgetJob): Promise<void> {
  const ids = job.sessionId === undefined ? await findSessions(transaction, environmentId, job) : [job.sessionId]
  const earlier = job.sessionId === undefined ? undefined : await findEarlier(transaction, environmentId, job)
  await deleteSessions(transaction, environmentId, ids)
  await deleteClaimsOf(transaction, environmentId, job)
  await makeState(transaction, environmentId, job, earlier)
}

/** The sessions of the user and the content, without those that a user of this id has left who was deleted before. */
const ofUser = (session: string) => `
  ${session}.environment_id = $1::int and ${session}.user_id = $2::text and ${session}.content_id = $3::uuid
  and ${isNotDeletedBy(session, 'user')}`

async function findSessions(
  db: Transaction,
  environmentId: EnvironmentId,
  { userId, contentId }: ForgetJob,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(`select id from content_sessions as session where ${ofUser('session')}`, [
    environmentId,
    userId,
    contentId,
  ])
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

/** When the quiet period after a session begins, as `endSession` stores it: null for an end by its publisher. */
const quietSince = (session: string) => `
  case when ${session}.end_reason in ('unpublished', 'version_changed') then null
       when ${session}.end_reason = 'expired' then ${session}.last_activity_at else ${session}.ended_at end`

/** What the state knows of sessions that are not stored any more, because they are older than sessions are kept. */
interface EarlierSessions extends Record<string, unknown> {
  started: number
  firstStartedAt: string
  completedAt: string | null
  dismissedAt: string | null
  endedAt: string | null
}

/** Undefined when all sessions that count are stored. A time that is that of the forgotten session is not one of them. */
async function findEarlier(
  db: Transaction,
  environmentId: EnvironmentId,
  { userId, contentId, sessionId }: ForgetJob,
): Promise<EarlierSessions | undefined> {
  const [row] = await db.query<EarlierSessions>(
    `select ${countedColumns.started} - stored.count as started, ${countedColumns.first_started_at} as "firstStartedAt",
            nullif(${countedColumns.completed_at}, session.completed_at) as "completedAt",
            nullif(${countedColumns.dismissed_at}, session.ended_at) as "dismissedAt",
            nullif(state.last_ended_at, ${quietSince('session')}) as "endedAt"
       from ${countedStates}
      cross join lateral (
            select count(*)::int as count from content_sessions as one
             where ${ofUser('one')} and ${countsNow('one', 'content')}) as stored
       left join content_sessions as session on session.environment_id = $1::int and session.id = $4::uuid
      where state.environment_id = $1::int and state.user_id = $2::text and state.content_id = $3::uuid
        and ${countedColumns.started} > stored.count`,
    [environmentId, userId, contentId, sessionId],
  )
  return row
}

async function makeState(
  db: Transaction,
  environmentId: EnvironmentId,
  { userId, contentId }: ForgetJob,
  earlier: EarlierSessions | undefined,
): Promise<void> {
  const values = [environmentId, userId, contentId]
  await db.query(`delete from content_states where ${KEY}`, values)
  await db.query(
    `insert into content_states (environment_id, user_id, content_id, started, first_started_at, last_started_at,
            previous_started_at, completed_at, dismissed_at, last_ended_at, active_session_id)
     select $1::int, $2::text, $3::uuid, count(*) filter (where counts_now) + $4::int,
            least($5::timestamptz, min(created_at) filter (where counts_now)),
            greatest($5::timestamptz, max(created_at) filter (where counts_now)),
            (array_agg(created_at order by created_at desc) filter (where counts_now))[2],
            greatest($6::timestamptz, max(completed_at)),
            greatest($7::timestamptz, max(ended_at) filter (where state = 'dismissed')),
            greatest($8::timestamptz, max(${quietSince('stored')})),
            (array_agg(id) filter (where state = 'active' and ended_at is null))[1]
       from (select session.*, ${countsNow('session', 'content')} as counts_now
               from content_sessions as session
               join content on content.environment_id = session.environment_id and content.id = session.content_id
              where ${ofUser('session')}) as stored
     having count(*) + $4::int > 0`,
    [...values, earlier?.started ?? 0, ...timesOf(earlier)],
  )
}

function timesOf(earlier: EarlierSessions | undefined): (string | null)[] {
  if (!earlier) return [null, null, null, null]
  return [earlier.firstStartedAt, earlier.completedAt, earlier.dismissedAt, earlier.endedAt]
}
