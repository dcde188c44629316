import type { EnvironmentId, Queryable, Transaction } from '../database/database.ts'

export interface MembershipRow {
  id: string
  user_id: string
  group_id: string
  attributes: string
  created_at: string
}

export interface MembershipPair {
  userId: string
  groupId: string
}

export interface StorableMembership extends MembershipPair {
  id: string
  attributes: string
  createdAt: string
  userCreatedAt: string
  groupCreatedAt: string
}

const columns = 'id, user_id, group_id, attributes, created_at'

/** `offset 0` keeps the look-up what it is, one for each pair, also where PostgreSQL takes the table for an empty one. */
export async function findMemberships(
  db: Queryable,
  environmentId: EnvironmentId,
  pairs: readonly MembershipPair[],
): Promise<MembershipRow[]> {
  return await db.query<MembershipRow>(
    `select found.*
       from unnest($2::text[], $3::text[]) as wanted (user_id, group_id)
      cross join lateral (
        select ${columns} from group_memberships as stored
         where environment_id = $1::int and stored.user_id = wanted.user_id and stored.group_id = wanted.group_id
        offset 0) as found`,
    [environmentId, userIds(pairs), groupIds(pairs)],
  )
}

export async function findMembershipsOfUsers(
  db: Queryable,
  environmentId: EnvironmentId,
  ids: readonly string[],
): Promise<MembershipRow[]> {
  return await db.query<MembershipRow>(
    `select ${columns} from group_memberships where environment_id = $1::int and user_id = any($2::text[])`,
    [environmentId, ids],
  )
}

/**
 * Of users that are locked, so nobody else writes these. Those that exist are found as conflicts and not by a join: of a
 * table that has just grown PostgreSQL has no statistics, and chose an index that made it read all memberships.
 */
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

function rowOf({ userId, groupId, id, attributes, ...times }: StorableMembership): string {
  return `{"user_id":${JSON.stringify(userId)},"group_id":${JSON.stringify(groupId)},"id":"${id}","attributes":${attributes},"created_at":"${times.createdAt}","user_created_at":"${times.userCreatedAt}","group_created_at":"${times.groupCreatedAt}"}`
}
