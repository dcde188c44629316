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

export interface NewMembership extends MembershipPair {
  id: string
  attributes: string
  createdAt: string
  userCreatedAt: string
  groupCreatedAt: string
}

const columns = 'id, user_id, group_id, attributes, created_at'

export async function findMemberships(
  db: Queryable,
  environmentId: EnvironmentId,
  pairs: readonly MembershipPair[],
): Promise<MembershipRow[]> {
  return await db.query<MembershipRow>(
    `select ${columns}
       from group_memberships
       join unnest($2::text[], $3::text[]) as wanted (wanted_user_id, wanted_group_id)
         on user_id = wanted_user_id and group_id = wanted_group_id
      where environment_id = $1::int`,
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

/** A membership that another node created meanwhile is left as it is: it belongs to a user whose lock this one waited for. */
export async function insertMemberships(
  db: Transaction,
  environmentId: EnvironmentId,
  memberships: readonly NewMembership[],
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `insert into group_memberships
       (environment_id, user_id, group_id, id, attributes, created_at, user_created_at, group_created_at)
     select $1::int, * from unnest($2::text[], $3::text[], $4::uuid[], $5::jsonb[], $6::timestamptz[], $7::timestamptz[], $8::timestamptz[])
     on conflict do nothing
     returning id`,
    [
      environmentId,
      userIds(memberships),
      groupIds(memberships),
      memberships.map(({ id }) => id),
      memberships.map(({ attributes }) => attributes),
      memberships.map(({ createdAt }) => createdAt),
      memberships.map(({ userCreatedAt }) => userCreatedAt),
      memberships.map(({ groupCreatedAt }) => groupCreatedAt),
    ],
  )
  return rows.map((row) => row.id)
}

export async function updateMemberships(
  db: Transaction,
  environmentId: EnvironmentId,
  memberships: readonly (MembershipPair & { attributes: string })[],
): Promise<void> {
  await db.query(
    `update group_memberships as stored
        set attributes = given.attributes
       from unnest($2::text[], $3::text[], $4::jsonb[]) as given (user_id, group_id, attributes)
      where stored.environment_id = $1::int and stored.user_id = given.user_id and stored.group_id = given.group_id`,
    [environmentId, userIds(memberships), groupIds(memberships), memberships.map(({ attributes }) => attributes)],
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
