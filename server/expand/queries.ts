import type { EnvironmentId, Queryable } from '../database/database.ts'
import type { MembershipRow } from '../memberships/queries.ts'
import type { ObjectRow } from '../objects/queries.ts'

/** The two ends of a membership, seen from either. */
const ends = {
  user: { id: 'user_id', otherId: 'group_id', otherCreatedAt: 'group_created_at', others: 'groups' },
  group: { id: 'group_id', otherId: 'user_id', otherCreatedAt: 'user_created_at', others: 'users' },
} as const

export type End = keyof typeof ends

/** The groups of users, or the users of groups, in the order in which their list has them. */
export async function findOthers(
  db: Queryable,
  environmentId: EnvironmentId,
  end: End,
  ids: readonly string[],
  limit: number,
): Promise<(ObjectRow & { parent: string })[]> {
  const { id, otherId, otherCreatedAt, others } = ends[end]
  return await db.query(
    `select membership.${id} as parent, other.id, other.attributes, other.created_at
       from group_memberships as membership
       join ${others} as other on other.environment_id = membership.environment_id and other.id = membership.${otherId}
      where membership.environment_id = $1::int and membership.${id} = any($2::text[])
      order by membership.${id}, membership.${otherCreatedAt}, membership.${otherId}
      limit $3::int`,
    [environmentId, ids, limit],
  )
}

export async function findMembershipsOf(
  db: Queryable,
  environmentId: EnvironmentId,
  end: End,
  ids: readonly string[],
  limit: number,
): Promise<(MembershipRow & { parent: string })[]> {
  const { id, otherId, otherCreatedAt } = ends[end]
  return await db.query(
    `select ${id} as parent, id, user_id, group_id, attributes, created_at
       from group_memberships
      where environment_id = $1::int and ${id} = any($2::text[])
      order by ${id}, ${otherCreatedAt}, ${otherId}
      limit $3::int`,
    [environmentId, ids, limit],
  )
}
