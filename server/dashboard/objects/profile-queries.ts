import type { BoundedCount } from '../../../contract/dashboard/fields.ts'
import type { EnvironmentId, Queryable } from '../../database/database.ts'
import type { Scope } from '../../definitions/new-definitions.ts'
import { isNotDeleted, liveMemberships } from '../../deletions/pending.ts'
import { withinBytes } from '../../lists/measured.ts'

export interface DefinitionRow {
  name: string
  data_type: string
  display_name: string
  created_at: string
  written_by: 'anyone' | 'back_end'
  shown_unverified: boolean
}

export async function findDefinitions(
  db: Queryable,
  environmentId: EnvironmentId,
  scope: Scope,
  names: readonly string[],
): Promise<DefinitionRow[]> {
  return await db.query<DefinitionRow>(
    `select name, data_type, display_name, created_at, written_by, shown_unverified
       from attribute_definitions
      where environment_id = $1::int and scope = $2::text and name = any($3::text[])`,
    [environmentId, scope, names],
  )
}

/** The tables with rows of a user or a group. Each has an index that begins with the environment and the owner. */
const countable = {
  memberships: `${liveMemberships()} as membership`,
  events: 'events',
  notifications: 'webhook_notifications',
} as const

const MOST_COUNTED = 10_000

/** Counts up to a bound, so that a million events are not read for a number. */
export async function countOf(
  db: Queryable,
  environmentId: EnvironmentId,
  what: keyof typeof countable,
  owner: 'user_id' | 'group_id',
  id: string,
): Promise<BoundedCount> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count
       from (select from ${countable[what]}
              where environment_id = $1::int and ${owner} = $2::text
                ${what === 'memberships' ? '' : `and ${isNotDeleted(countable[what])}`}
              limit ${MOST_COUNTED + 1}) as counted`,
    [environmentId, id],
  )
  const count = row?.count ?? 0
  return { count: Math.min(count, MOST_COUNTED), is_more: count > MOST_COUNTED }
}

export interface OtherEnd {
  id: string
  name: string | null
  attributesJson: string
  created_at: string
  /** When the object at the other end was created. The list is ordered by it. */
  key: string
  /** How many there are up to the limit: more than are read when these have too many bytes. */
  found: number
}

const sides = {
  user_id: { other: 'group_id', table: 'groups', key: 'group_created_at' },
  group_id: { other: 'user_id', table: 'users', key: 'user_created_at' },
} as const

/** The memberships of a user or a group with the names at their other ends, newest object first, from an index. */
export async function listOtherEnds(
  db: Queryable,
  environmentId: EnvironmentId,
  owner: 'user_id' | 'group_id',
  ownerId: string,
  before: { key: string; id: string } | undefined,
  limit: number,
): Promise<OtherEnd[]> {
  const { other, table, key } = sides[owner]
  const page = `
    select object.id, object.attributes ->> 'name' as name, membership.attributes, membership.created_at,
           membership.${key} as key
      from ${liveMemberships()} as membership
      join ${table} as object
        on object.environment_id = membership.environment_id and object.id = membership.${other}
     where membership.environment_id = $1::int and membership.${owner} = $2::text
       and (membership.${key}, membership.${other}) < ($3::timestamptz, $4::text)
     order by membership.${key} desc, membership.${other} desc
     limit $5::int`
  return await db.query<OtherEnd>(
    withinBytes('id, name, attributes as "attributesJson", created_at, key', page, 'key desc, id desc'),
    [environmentId, ownerId, before?.key ?? 'infinity', before?.id ?? '', limit],
  )
}
