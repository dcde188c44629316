import type { EnvironmentId, Queryable, Transaction } from '../database/database.ts'
import { measureByWorker } from '../database/workers.ts'
import { LEAST_ID } from '../ids.ts'

export type Owner = 'user' | 'group'

const ALL_OWNERS: readonly Owner[] = ['user', 'group']

/** A user or group that is deleted. The time is undefined when there was none. */
export interface DeletedObject {
  id: string
  createdAt: string | undefined
}

/**
 * A deleted user or group of which something is left: events, notifications and sessions with ids up to the boundary, and the
 * memberships that it had, which have the time of its creation.
 */
export interface PendingDeletion {
  environmentId: EnvironmentId
  owner: Owner
  ownerId: string
  boundary: string
  objectCreatedAt: string | null
}

/**
 * Whether a row of `events` or `webhook_notifications` is not left over from a deletion. Every statement that shows or
 * sends such rows has this condition, or the next one.
 *
 * For lists, which may pass over very many leftovers. The owners that are being deleted are read once for the whole
 * statement, and so is the least boundary of the environment, which covers most leftovers. Only the others are looked up.
 * `environmentId` is the value that the statement compares with, and not the column of the row: only by a constant can
 * Citus tell which worker has the rows. `owners` are those that are not compared otherwise (`isAfterDeletion`).
 */
export function isNotDeleted(row: string, environmentId = '$1::int', owners = ALL_OWNERS): string {
  const deletions = `pending_deletions as deletion where deletion.environment_id = ${environmentId}`
  const isBeingDeleted = owners.map((owner) => {
    const id = `${row}.${owner}_id`
    return `(${id} is not null and ${id} in (select deletion.owner_id from ${deletions} and deletion.owner = '${owner}'))`
  })
  return `not ((${isBeingDeleted.join(' or ')})
    and (${row}.id <= (select deletion.boundary from ${deletions} order by deletion.boundary limit 1)
      or ${isCovered(row, environmentId, owners)}))`
}

/** The same for rows that are found by their key: for one row it takes two thirds of the time. */
export function isNotDeletedByKey(row: string, environmentId = '$1::int'): string {
  return `not ${isCovered(row, environmentId, ['user'])} and not ${isCovered(row, environmentId, ['group'])}`
}

/** `offset 0` keeps it a look-up by key, whatever PostgreSQL knows of the table. */
function isCovered(row: string, environmentId: string, owners: readonly Owner[]): string {
  const matches = owners.map((owner) => `(deletion.owner = '${owner}' and deletion.owner_id = ${row}.${owner}_id)`)
  return `exists (
    select from pending_deletions as deletion
     where deletion.environment_id = ${environmentId} and (${matches.join(' or ')}) and deletion.boundary >= ${row}.id
    offset 0)`
}

/** The same for rows of one kind of owner, in a statement for one environment or for several. */
export function isNotDeletedBy(row: string, owner: Owner, environmentIs = '= $1::int'): string {
  return `not exists (
    select from pending_deletions as deletion
     where deletion.environment_id ${environmentIs} and deletion.environment_id = ${row}.environment_id
       and deletion.owner = '${owner}' and deletion.owner_id = ${row}.${owner}_id and deletion.boundary >= ${row}.id
    offset 0)`
}

/**
 * Whether the notification of a row of `webhook_deliveries` or `webhook_attempts` is not left over from a deletion: the answer
 * of a receiver may quote it. While nothing is being deleted in the environment, it is one look-up for the whole statement.
 */
export function isOfShownNotification(row: string): string {
  return `(not exists (select 1 from pending_deletions where environment_id = $1::int)
    or not exists (
      select 1 from webhook_notifications as notified
       where notified.environment_id = $1::int and notified.id = ${row}.notification_id
         and not (${isNotDeleted('notified')})
      offset 0))`
}

/**
 * Whether an id is greater than what the last deletion of this owner covers. It follows from `isNotDeleted`, and is one
 * look-up for the whole statement, so that an index scan can use it.
 */
export function isAfterDeletion(id: string, owner: Owner, ownerId: string): string {
  return `${id} > coalesce((
    select boundary from pending_deletions
     where environment_id = $1::int and owner = '${owner}' and owner_id = ${ownerId}::text
     order by boundary desc
     limit 1), '${LEAST_ID}'::uuid)`
}

/**
 * Whether a membership is not left over from the deletion of its user or group. While nothing is being deleted in these
 * environments, it is one look-up for the whole statement. `environmentIs` is what the statement compares with.
 */
export function isNotLeftOver(row: string, environmentIs = '= $1::int'): string {
  const covered = (owner: Owner) => `exists (
    select 1 from pending_deletions as deletion
     where deletion.environment_id ${environmentIs} and deletion.environment_id = ${row}.environment_id
       and deletion.owner = '${owner}'
       and deletion.owner_id = ${row}.${owner}_id and deletion.object_created_at = ${row}.${owner}_created_at
    offset 0)`
  return `(not exists (select 1 from pending_deletions where environment_id ${environmentIs})
    or not (${covered('user')} or ${covered('group')}))`
}

/** The memberships that are not left over. Everything that shows memberships reads from here, and never from the table. */
export function liveMemberships(): string {
  return `(select * from group_memberships as stored where ${isNotLeftOver('stored')})`
}

/** Whether nothing is left of an object that was created at this time. */
export function isFreeTime(environmentIs: string, at: string): string {
  return `not exists (select 1 from pending_deletions where environment_id ${environmentIs} and object_created_at = ${at})`
}

/** The id of a session is that of its claim. */
const WITH_BOUNDARY = ['events', 'webhook_notifications', 'content_claims', 'content_sessions'] as const

/** The greatest ids that are stored: a boundary has to be greater than all of them. */
export async function findLastIds(db: Transaction, environmentId: EnvironmentId): Promise<string[]> {
  const last = WITH_BOUNDARY.map(
    (table) => `(select id from ${table} where environment_id = $1::int order by id desc limit 1)`,
  )
  const rows = await db.query<{ id: string }>(last.join(' union all '), [environmentId])
  return rows.map(({ id }) => id)
}

export async function insertPendingDeletions(
  db: Transaction,
  environmentId: EnvironmentId,
  owner: Owner,
  objects: readonly DeletedObject[],
  boundary: string,
  at: string,
): Promise<void> {
  await db.query(
    `insert into pending_deletions (environment_id, owner, owner_id, object_created_at, boundary, requested_at)
     select $1::int, $2::text, owner_id, object_created_at, $5::uuid, $6::timestamptz
       from unnest($3::text[], $4::timestamptz[]) as deleted (owner_id, object_created_at)`,
    [environmentId, owner, objects.map(({ id }) => id), objects.map(({ createdAt }) => createdAt), boundary, at],
  )
}

/** The environments with unfinished deletions, without those of a worker that is unreachable. The table is small. */
export async function findEnvironmentsWithDeletions(db: Queryable): Promise<EnvironmentId[]> {
  const { parts } = await measureByWorker(db, (inScope) =>
    db.query<{ id: EnvironmentId }>(
      `select distinct environment_id as id from pending_deletions where ${inScope('environment_id')} order by environment_id`,
      [],
    ),
  )
  return parts.flat().map(({ id }) => id)
}

/** The oldest of an environment that no other node works on; locked until the end of the transaction. */
export async function lockPendingDeletion(
  db: Transaction,
  environmentId: EnvironmentId,
): Promise<PendingDeletion | undefined> {
  const [row] = await db.query<PendingDeletion & Record<string, unknown>>(
    `select environment_id as "environmentId", owner, owner_id as "ownerId", boundary,
            object_created_at as "objectCreatedAt"
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
