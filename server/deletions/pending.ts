import type { EnvironmentId, Queryable, Transaction } from '../database/database.ts'

export type Owner = 'user' | 'group'

/** A deleted user or group with remaining rows, whose ids are up to the boundary. */
export interface PendingDeletion {
  environmentId: EnvironmentId
  owner: Owner
  ownerId: string
  boundary: string
}

/**
 * Whether a row of `events` or `webhook_notifications` is not left over from a deletion. Every statement that shows or
 * sends such rows has this condition. `offset 0` keeps it a look-up by key, whatever PostgreSQL knows of the table.
 */
export function isNotDeleted(row: string): string {
  const covered = (owner: Owner) => `exists (
    select from pending_deletions as deletion
     where deletion.environment_id = ${row}.environment_id and deletion.owner = '${owner}'
       and deletion.owner_id = ${row}.${owner}_id and deletion.boundary >= ${row}.id
    offset 0)`
  return `not ${covered('user')} and not ${covered('group')}`
}

/** The greatest ids that are stored: a boundary has to be greater than both. */
export async function findLastIds(db: Transaction, environmentId: EnvironmentId): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `(select id from events where environment_id = $1::int order by id desc limit 1)
     union all
     (select id from webhook_notifications where environment_id = $1::int order by id desc limit 1)`,
    [environmentId],
  )
  return rows.map(({ id }) => id)
}

export async function insertPendingDeletions(
  db: Transaction,
  environmentId: EnvironmentId,
  owner: Owner,
  ownerIds: readonly string[],
  boundary: string,
  at: string,
): Promise<void> {
  await db.query(
    `insert into pending_deletions (environment_id, owner, owner_id, boundary, requested_at)
     select $1::int, $2::text, owner_id, $4::uuid, $5::timestamptz from unnest($3::text[]) as owner_id`,
    [environmentId, owner, ownerIds, boundary, at],
  )
}

/** The environments with unfinished deletions. The table is small. */
export async function findEnvironmentsWithDeletions(db: Queryable): Promise<EnvironmentId[]> {
  const rows = await db.query<{ id: EnvironmentId }>(
    'select distinct environment_id as id from pending_deletions order by environment_id',
    [],
  )
  return rows.map(({ id }) => id)
}

/** The oldest of an environment that no other node works on; locked until the end of the transaction. */
export async function lockPendingDeletion(
  db: Transaction,
  environmentId: EnvironmentId,
): Promise<PendingDeletion | undefined> {
  const [row] = await db.query<PendingDeletion & Record<string, unknown>>(
    `select environment_id as "environmentId", owner, owner_id as "ownerId", boundary
       from pending_deletions
      where environment_id = $1::int
      order by requested_at
      limit 1
        for update skip locked`,
    [environmentId],
  )
  return row
}

export async function deletePendingDeletion(
  db: Queryable,
  { environmentId, owner, ownerId, boundary }: PendingDeletion,
): Promise<void> {
  await db.query(
    `delete from pending_deletions
      where environment_id = $1::int and owner = $2::text and owner_id = $3::text and boundary = $4::uuid`,
    [environmentId, owner, ownerId, boundary],
  )
}
