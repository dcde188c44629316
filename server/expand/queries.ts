import type { QueryResultRow } from 'pg'
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

/** The groups of users, or the users of groups. */
export async function findOthers(
  db: Queryable,
  environmentId: EnvironmentId,
  end: End,
  ids: readonly string[],
  limit: number,
  rendered: boolean,
): Promise<Linked<ObjectRow | RenderedRow>[]> {
  const { otherId, others, other } = ends[end]
  const fields = rendered ? `${sqlOf(other, 'other')} as item` : 'other.attributes, other.created_at'
  const join = `join ${others} as other
         on other.environment_id = membership.environment_id and other.id = membership.${otherId}`
  return await findLinked(db, environmentId, end, ids, limit, `other.id, ${fields}`, join)
}

export async function findMembershipsOf(
  db: Queryable,
  environmentId: EnvironmentId,
  end: End,
  ids: readonly string[],
  limit: number,
  rendered: boolean,
): Promise<Linked<MembershipRow | RenderedRow>[]> {
  const fields = rendered
    ? `${sqlOf('group_membership', 'membership')} as item`
    : 'membership.user_id, membership.group_id, membership.attributes, membership.created_at'
  return await findLinked(db, environmentId, end, ids, limit, `membership.id, ${fields}`, '')
}

/** What is linked to one end of memberships, in the order in which the list of the other end has it. */
async function findLinked<Row extends QueryResultRow>(
  db: Queryable,
  environmentId: EnvironmentId,
  end: End,
  ids: readonly string[],
  limit: number,
  select: string,
  join: string,
): Promise<Linked<Row>[]> {
  const { id, otherId, otherCreatedAt } = ends[end]
  return await db.query<Linked<Row>>(
    `select membership.${id} as parent, ${select}
       from group_memberships as membership ${join}
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
