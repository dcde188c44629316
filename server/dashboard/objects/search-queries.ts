import type { EnvironmentId, Queryable } from '../../database/database.ts'
import type { ObjectRow } from '../../objects/queries.ts'
import type { ObjectTable } from '../../objects/tables.ts'

/** The fields of a search, in their order. Groups have no e-mail. */
export type SearchField = 'id' | 'email' | 'name'

export interface Found extends ObjectRow {
  /** The value in the index. */
  key: string
}

const expressions: Record<SearchField, { key: string; where: string }> = {
  id: { key: 'id', where: 'true' },
  email: { key: 'lower(email_key)', where: 'email_key is not null' },
  name: { key: 'lower(name_key)', where: "name_key >= 's' and name_key < 't'" },
}

/** The greatest code point: every text with a prefix sorts before the prefix followed by it. */
const LAST = '\u{10ffff}'

/**
 * The objects whose key begins with the prefix, in the order of the key, after a position, from one index. An index scan
 * starts at the position and ignores other lower bounds, so the first page has the prefix as its position. With an empty
 * position the scan read the whole index up to the prefix, 140 ms for 100,000 users.
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

/**
 * The objects whose name has the text in it, by reading the names of the index in their order, without the table. At
 * most `mostRead` names are read, however many there are.
 */
export async function findByPartOfName(
  db: Queryable,
  environmentId: EnvironmentId,
  table: ObjectTable,
  text: string,
  mostRead: number,
  limit: number,
): Promise<ObjectRow[]> {
  return await db.query<ObjectRow>(
    `select id, attributes as "attributesJson", created_at
       from ${table.name}
      where environment_id = $1::int and id = any(array(
        select id
          from (select id, name_key
                  from ${table.name}
                 where environment_id = $1::int and name_key >= 's' and name_key < 't'
                 order by name_key, id
                 limit $3::int) as names
         where position(lower($2::text) in lower(substr(name_key, 2))) > 0
         limit $4::int))
      order by id`,
    [environmentId, text, mostRead, limit],
  )
}
