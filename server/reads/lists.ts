import { orderable } from '../../contract/queries.ts'
import type { EnvironmentId, Reader } from '../database/database.ts'
import { liveMemberships } from '../deletions/pending.ts'
import { parseExpand } from '../expand/paths.ts'
import { takeHorizon, upToHorizon } from '../lists/horizon.ts'
import { type PageQuery, parsePage } from '../lists/page.ts'
import { findPosition } from '../lists/position.ts'
import { listPageText } from '../lists/rendered-page.ts'
import { type AskedList, renderList } from '../lists/response.ts'
import type { ListSource } from '../lists/source.ts'
import { statementOf } from '../lists/statements.ts'
import type { ObjectTable } from '../objects/tables.ts'
import type { Services } from '../services.ts'

/** The list of all users or groups, by any of its orders. */
export function objectSource(table: ObjectTable): ListSource {
  return {
    from: `${table.name} as object`,
    where: ['object.environment_id = $1::int'],
    values: [],
    select: 'object.id, object.attributes, object.created_at',
    id: 'object.id',
    idType: 'text',
    columns: { ...keyColumns, created_at: { expression: 'object.created_at', type: 'timestamptz' } },
    filtered: false,
  }
}

const keyColumns = {
  'attributes.name': { expression: 'object.name_key', type: 'text' },
  'attributes.signed_up_at': { expression: 'object.signed_up_at_key', type: 'text' },
  'attributes.last_seen_at': { expression: 'object.last_seen_at_key', type: 'text' },
} as const

/** The objects at the other end of a membership. The membership has their creation time, so its index serves the default order. */
export function memberSource(
  table: ObjectTable,
  memberIds: 'user_id' | 'group_id',
  ownerIds: 'user_id' | 'group_id',
  ownerId: string,
): ListSource {
  const createdAt = memberIds === 'user_id' ? 'membership.user_created_at' : 'membership.group_created_at'
  return {
    ...objectSource(table),
    from: `${liveMemberships()} as membership
       join ${table.name} as object on object.environment_id = membership.environment_id and object.id = membership.${memberIds}`,
    where: [
      'membership.environment_id = $1::int',
      `membership.${ownerIds} = $2::text`,
      // Checked before the memberships are read: a deleted owner may still have a million of them.
      `exists (select 1 from ${ownerIds === 'user_id' ? 'users' : 'groups'} where environment_id = $1::int and id = $2::text)`,
    ],
    values: [ownerId],
    id: `membership.${memberIds}`,
    columns: { ...keyColumns, created_at: { expression: createdAt, type: 'timestamptz' } },
    filtered: true,
  }
}

/** The response of a list of users or groups. Concurrent requests for the same list share one read. */
export async function answerList(
  { listReader, commits, sharedReads }: Services,
  environmentId: EnvironmentId,
  table: ObjectTable,
  source: ListSource,
  query: PageQuery & { expand?: string[] },
  address: string,
): Promise<string> {
  const tree = parseExpand(table.object, query.expand)
  return await sharedReads.read(environmentId, `${address} ${JSON.stringify(query)}`, () => {
    const horizon = takeHorizon(commits, environmentId)
    return listReader.read((db) => listObjects(db, environmentId, table, source, { query, tree, address, horizon }))
  })
}

export async function listObjects(
  db: Reader,
  environmentId: EnvironmentId,
  table: ObjectTable,
  source: ListSource,
  { query, tree, address, horizon }: AskedList,
): Promise<string> {
  const request = parsePage(query, orderable[table.name])
  const after = await findPosition(db, environmentId, objectSource(table), request, table.kind)
  // Without a horizon: an object that joins a filtered list later can have any creation time.
  const shown = source.filtered ? source : upToHorizon(source, 'object.created_at', request, horizon)
  const statement = statementOf(shown, request, after, table.object, tree)
  const { items, ...page } = await listPageText(db, environmentId, shown, request, after, statement)
  return renderList(address, query, page, [items])
}
