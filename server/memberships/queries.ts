import { sortedUnique } from '../arrays.ts'
import type { EnvironmentId, Queryable, Transaction } from '../database/database.ts'

export interface MembershipPair {
  userId: string
  groupId: string
}

export interface StorableMembership extends MembershipPair {
  id: string
  attributesJson: string
  createdAt: string
  userCreatedAt: string
  groupCreatedAt: string
}

export interface MembershipAttributes extends MembershipPair {
  attributesJson: string
}

/** `offset 0` keeps the look-up what it is, one for each pair, also where PostgreSQL takes the table for an empty one. */
export async function findMemberships(
  db: Queryable,
  environmentId: EnvironmentId,
  pairs: readonly MembershipPair[],
): Promise<MembershipAttributes[]> {
  const rows = await db.query<{ pair: number; attributesJson: string }>(
    `select wanted.pair, found.*
       from unnest($2::text[], $3::text[]) with ordinality as wanted (user_id, group_id, pair)
      cross join lateral (
        select attributes as "attributesJson" from group_memberships as stored
         where environment_id = $1::int and stored.user_id = wanted.user_id and stored.group_id = wanted.group_id
        offset 0) as found`,
    [environmentId, userIds(pairs), groupIds(pairs)],
  )
  return rows.map(({ pair, attributesJson }) => {
    const { userId, groupId } = pairs[pair - 1] as MembershipPair
    return { userId, groupId, attributesJson }
  })
}

export async function findMembershipsOfUsers(
  db: Queryable,
  environmentId: EnvironmentId,
  ids: readonly string[],
): Promise<MembershipAttributes[]> {
  return await db.query<MembershipAttributes>(
    `select user_id as "userId", group_id as "groupId", attributes as "attributesJson"
       from group_memberships
      where environment_id = $1::int and user_id = any($2::text[])`,
    [environmentId, ids],
  )
}

/** New ones, of users that are locked, so nobody else makes these; one that was removed in the same transaction is found. */
export async function storeMemberships(
  db: Transaction,
  environmentId: EnvironmentId,
  memberships: readonly StorableMembership[],
): Promise<void> {
  await db.query(
    `insert into group_memberships
       (environment_id, user_id, group_id, id, attributes, created_at, user_created_at, group_created_at)
     select $1::int, *
       from json_to_recordset($2::json)
         as given (user_id text, group_id text, id uuid, attributes jsonb, created_at timestamptz,
                   user_created_at timestamptz, group_created_at timestamptz)
     on conflict (environment_id, user_id, group_id) do update set attributes = excluded.attributes`,
    [environmentId, `[${memberships.map(rowOf).join(',')}]`],
  )
}

/**
 * Those that were read in this transaction, of users that are locked: nobody else changes these. One whose group was
 * deleted meanwhile is gone, and stays so. The new values are looked up in a document by user and group, and nothing is
 * joined: in a table without statistics PostgreSQL joined by reading all memberships (20 ms for 44 of 25,000, against 4 ms).
 */
export async function updateMemberships(
  db: Transaction,
  environmentId: EnvironmentId,
  memberships: readonly MembershipAttributes[],
): Promise<void> {
  await db.query(
    `update group_memberships
        set attributes = $4::jsonb -> user_id -> group_id
      where environment_id = $1::int and user_id = any($2::text[]) and group_id = any($3::text[])
        and $4::jsonb -> user_id ? group_id`,
    [environmentId, sortedUnique(userIds(memberships)), sortedUnique(groupIds(memberships)), documentOf(memberships)],
  )
}

export async function deleteMemberships(
  db: Transaction,
  environmentId: EnvironmentId,
  pairs: readonly MembershipPair[],
): Promise<void> {
  await db.query(
    `delete from group_memberships as stored
      using unnest($2::text[], $3::text[]) as given (user_id, group_id)
      where stored.environment_id = $1::int and stored.user_id = given.user_id and stored.group_id = given.group_id`,
    [environmentId, userIds(pairs), groupIds(pairs)],
  )
}

const userIds = (pairs: readonly MembershipPair[]) => pairs.map(({ userId }) => userId)
const groupIds = (pairs: readonly MembershipPair[]) => pairs.map(({ groupId }) => groupId)

/** The attributes by user and then by group. */
function documentOf(memberships: readonly MembershipAttributes[]): string {
  const byUser = Object.groupBy(memberships, ({ userId }) => JSON.stringify(userId))
  const groupsOf = (own: readonly MembershipAttributes[] = []) =>
    own.map(({ groupId, attributesJson }) => `${JSON.stringify(groupId)}:${attributesJson}`)
  return `{${Object.entries(byUser).map(([userId, own]) => `${userId}:{${groupsOf(own)}}`)}}`
}

function rowOf({ userId, groupId, id, attributesJson, ...times }: StorableMembership): string {
  return `{"user_id":${JSON.stringify(userId)},"group_id":${JSON.stringify(groupId)},"id":"${id}","attributes":${attributesJson},"created_at":"${times.createdAt}","user_created_at":"${times.userCreatedAt}","group_created_at":"${times.groupCreatedAt}"}`
}
