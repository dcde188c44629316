import type { EnvironmentId, Transaction } from '../database/database.ts'
import { LEAST_ID } from '../ids.ts'
import type { Removal, RemovedPart } from './steps.ts'

/**
 * Removes the first sessions of deleted users, with their answers. Sessions of deleted groups stay, without the group and
 * without their receipt, which has values of it. What another transaction has locked stays for a later step: no step waits
 * (docs/decisions/220-next-batch-before-histories-are-answered.md).
 */
export async function removeSessionsOf(
  db: Transaction,
  environmentId: EnvironmentId,
  part: RemovedPart,
): Promise<Removal> {
  const found = await findSessionsOf(db, environmentId, part)
  const last = found.at(-1)
  if (!last) return { isLeft: false, last: undefined }
  const ids = await lockSessions(db, environmentId, found)
  if (part.owner === 'user') await deleteSessions(db, environmentId, ids)
  else await leaveGroup(db, environmentId, ids)
  if (ids.length < found.length) return { isLeft: true, last: part.after }
  return { isLeft: found.length === part.most, last: [last.createdAt, last.id] }
}

interface FoundSession extends Record<string, unknown> {
  id: string
  createdAt: string
}

const BEFORE_ALL = ['-infinity', LEAST_ID] as const

/** Only the index of the owner has this order, so PostgreSQL takes it, whatever it knows of the table. */
async function findSessionsOf(
  db: Transaction,
  environmentId: EnvironmentId,
  { owner, objects, boundary, most, after = BEFORE_ALL }: RemovedPart,
): Promise<FoundSession[]> {
  return await db.query<FoundSession>(
    `select found.* from unnest($2::text[]) as deleted (owner_id)
      cross join lateral (
        select id, created_at as "createdAt" from content_sessions
         where environment_id = $1::int and ${owner}_id = deleted.owner_id and id <= $3::uuid
           and (created_at, id) > ($4::timestamptz, $5::uuid)
         order by created_at, id
         limit $6::int) as found
      limit $6::int`,
    [environmentId, objects.map(({ id }) => id), boundary, ...after, most],
  )
}

async function lockSessions(
  db: Transaction,
  environmentId: EnvironmentId,
  found: readonly FoundSession[],
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    'select id from content_sessions where environment_id = $1::int and id = any($2::uuid[]) for update skip locked',
    [environmentId, found.map(({ id }) => id)],
  )
  return rows.map(({ id }) => id)
}

export async function deleteSessions(
  db: Transaction,
  environmentId: EnvironmentId,
  ids: readonly string[],
): Promise<void> {
  await Promise.all([
    db.query('delete from content_answers where environment_id = $1::int and session_id = any($2::uuid[])', [
      environmentId,
      ids,
    ]),
    db.query('delete from content_sessions where environment_id = $1::int and id = any($2::uuid[])', [
      environmentId,
      ids,
    ]),
  ])
}

async function leaveGroup(db: Transaction, environmentId: EnvironmentId, ids: readonly string[]): Promise<void> {
  await db.query(
    `update content_sessions set group_id = null, receipt = null
      where environment_id = $1::int and id = any($2::uuid[])`,
    [environmentId, ids],
  )
}
