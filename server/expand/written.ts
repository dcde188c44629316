import type { Database, EnvironmentId, Queryable } from '../database/database.ts'
import { liveMemberships } from '../deletions/pending.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { type EventFields, renderEvent, renderGroup, renderUser } from '../objects/render.ts'
import { expandWithinLimit, guardOf } from './expand.ts'
import type { ExpandTree, ObjectKind } from './paths.ts'

/**
 * The expansion in the answer of a write. Whether it fits is checked before the write, so that a refused write stores
 * nothing. After the write nothing is refused: an expansion that has grown over the limit since then is left out.
 */

/**
 * The memberships after a user upsert: the groups of the request, in addition to the stored ones or instead of them.
 */
export interface JoinedGroups {
  userId: string
  groupIds: readonly string[]
  prune: boolean
}

/** Throws when the answer of a write would expand too many objects. */
export async function checkExpansion(
  database: Database,
  environmentId: EnvironmentId,
  kind: 'user' | 'group' | 'event',
  tree: ExpandTree,
  ids: { userId?: string | null; groupId?: string | null },
  joined?: JoinedGroups,
): Promise<void> {
  if (!expandsLists(kind, tree)) return
  const guard = guardOf(kind, tree, 'root', joined && membershipsAfter(joined))
  const [row] = await database.query<Record<string, unknown>>(
    `with root as materialized (select coalesce($2::text, $3::text) as id, $2::text as user_id, $3::text as group_id),
          ${guard.cte}
     select * from counts`,
    [environmentId, ids.userId ?? null, ids.groupId ?? null, ...(joined ? [joined.userId, joined.groupIds] : [])],
  )
  guard.check(row ?? {})
}

/** A user or a group of an event is one object; everything else that is expanded is a list. */
function expandsLists(kind: ObjectKind, tree: ExpandTree): boolean {
  return kind === 'event' ? tree.values().some(({ size }) => size > 0) : tree.size > 0
}

/** The memberships after the user has joined the groups. */
function membershipsAfter({ prune }: JoinedGroups): string {
  const isStored = `exists (
      select from ${liveMemberships()} as membership where environment_id = $1::int and user_id = $4::text and group_id = joined.group_id)`
  return `(
    select environment_id, user_id, group_id from ${liveMemberships()} as membership ${prune ? 'where user_id <> $4::text' : ''}
    union all
    select $1::int, $4::text, joined.group_id from unnest($5::text[]) as joined (group_id) ${prune ? '' : `where not ${isStored}`})`
}

/** The answer of a write with its expansion, made of the answer without it. An answer that has one stays as it is. */
export function expander(
  database: Queryable,
  environmentId: EnvironmentId,
  kind: 'user' | 'group' | 'event',
  tree: ExpandTree,
): (written: string) => MaybePromise<string> {
  if (tree.size === 0) return (written) => written
  return async (written) => {
    const fields = fieldsOf(written)
    const isUnexpanded = fields && [...tree.keys()].every((name) => fields[name] === null)
    return isUnexpanded ? await expand(database, environmentId, kind, tree, fields) : written
  }
}

async function expand(
  database: Queryable,
  environmentId: EnvironmentId,
  kind: 'user' | 'group' | 'event',
  tree: ExpandTree,
  fields: WrittenFields,
): Promise<string> {
  const [root, values] =
    kind === 'event'
      ? ['select $2::text as user_id, $3::text as group_id', [fields.user_id, fields.group_id]]
      : ['select $2::text as id', [fields.id]]
  const found = await expandWithinLimit(database, environmentId, kind, tree, root, values)
  return renderers[kind](fields, found?.expanded)
}

const renderers = { user: renderUser, group: renderGroup, event: renderEvent }

/** Everything but the attributes, which stay as they were written. */
type WrittenFields = EventFields & Readonly<Record<string, unknown>>

/**
 * The quotes inside of ids and names are escaped, so the first and the last of these marks are those of the object. Where
 * objects are expanded, the last one is theirs, and what is left is no JSON: undefined.
 */
function fieldsOf(written: string): WrittenFields | undefined {
  const start = written.indexOf(',"attributes":') + ',"attributes":'.length
  const end = written.lastIndexOf(',"created_at":"')
  try {
    const others = JSON.parse(`${written.slice(0, start)}null${written.slice(end)}`) as WrittenFields
    return { ...others, attributesJson: written.slice(start, end) }
  } catch {
    return undefined
  }
}
