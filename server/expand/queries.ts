import type { EnvironmentId, Queryable } from '../database/database.ts'
import type { MembershipRow } from '../memberships/queries.ts'
import type { ObjectRow } from '../objects/queries.ts'
import type { ObjectTable } from '../objects/tables.ts'
import { sqlOf } from '../render-sql.ts'

/** The two ends of a membership, seen from either. */
const ends = {
  user: { id: 'user_id', otherId: 'group_id', otherCreatedAt: 'group_created_at', others: 'groups', other: 'group' },
  group: { id: 'group_id', otherId: 'user_id', otherCreatedAt: 'user_created_at', others: 'users', other: 'user' },
} as const

export type End = keyof typeof ends

/** An object at the end of a path: nothing is expanded below it, and PostgreSQL renders it. */
export interface RenderedRow {
  id: string
  item: string
}

export type Linked<Row> = Row & { parent: string }

/** The groups of users, or the users of groups, in the order in which their list has them. */
export async function findOthers(
  db: Queryable,
  environmentId: EnvironmentId,
  end: End,
  ids: readonly string[],
  limit: number,
  rendered: boolean,
): Promise<Linked<ObjectRow | RenderedRow>[]> {
  const { id, otherId, otherCreatedAt, others, other } = ends[end]
  return await db.query(
    `select membership.${id} as parent, other.id, ${rendered ? `${sqlOf(other, 'other')} as item` : 'other.attributes, other.created_at'}
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
  rendered: boolean,
): Promise<Linked<MembershipRow | RenderedRow>[]> {
  const { id, otherId, otherCreatedAt } = ends[end]
  const fields = `membership.${otherId}, membership.attributes, membership.created_at, membership.${id}`
  return await db.query(
    `select membership.${id} as parent, membership.id, ${rendered ? `${sqlOf('group_membership', 'membership')} as item` : fields}
       from group_memberships as membership
      where membership.environment_id = $1::int and membership.${id} = any($2::text[])
      order by membership.${id}, membership.${otherCreatedAt}, membership.${otherId}
      limit $3::int`,
    [environmentId, ids, limit],
  )
}

export async function findRendered(
  db: Queryable,
  environmentId: EnvironmentId,
  table: ObjectTable,
  ids: readonly string[],
): Promise<RenderedRow[]> {
  return await db.query(
    `select object.id, ${sqlOf(table.object, 'object')} as item
       from ${table.name} as object
      where object.environment_id = $1::int and object.id = any($2::text[])`,
    [environmentId, ids],
  )
}
