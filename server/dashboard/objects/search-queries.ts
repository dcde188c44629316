import type { EnvironmentId, Queryable } from '../../database/database.ts'
import type { ObjectRow } from '../../objects/queries.ts'
import type { ObjectTable } from '../../objects/tables.ts'

/** Where a search looks, one after the other. Groups have no e-mail. */
export type SearchField = 'id' | 'email' | 'name'

export interface Found extends ObjectRow {
  /** What the index has of it. */
  key: string
}

const expressions: Record<SearchField, { key: string; where: string }> = {
  id: { key: 'id', where: 'true' },
  email: { key: 'lower(email_key)', where: 'email_key is not null' },
  name: { key: 'lower(name_key)', where: "name_key >= 's' and name_key < 't'" },
}

/** The greatest character that UTF-8 has: what begins with a prefix sorts before the prefix and this. */
const LAST = '\u{10ffff}'

/**
 * The objects whose key begins with the prefix, in the order of the key, behind a position; all of it from one index. An
 * index scan begins at the position, whatever else bounds it from below: the first page begins at the prefix. With an
 * empty position it read the whole index up to the prefix, 140 ms for 100,000 users.
 */
export async function findByPrefix(
  db: Queryable,
  environmentId: EnvironmentId,
  table: ObjectTable,
  field: SearchField,
  prefix: string,
  after: { key: string; id: string } | undefined,
  limit: number,
): Promise<Found[]> {
  const { key, where } = expressions[field]
  return await db.query<Found>(
    `select id, attributes as "attributesJson", created_at, ${key} as key
       from ${table.name}
      where environment_id = $1::int and ${where} and ${key} >= $2::text and ${key} < $3::text
        and (${key}, id) > ($4::text, $5::text)
      order by ${key}, id
      limit $6::int`,
    [environmentId, prefix, prefix + LAST, after?.key || prefix, after?.key ? after.id : '', limit],
  )
}
