import type { Stored } from '../commit/state.ts'
import type { EnvironmentId, Queryable, Transaction } from '../database/database.ts'
import type { ObjectTable } from './tables.ts'

/** A user or a group as it is read: the attributes are JSON text, the time is in ISO 8601. */
export interface ObjectRow {
  id: string
  attributes: string
  created_at: string
}

/** Locks in id order: every writer takes its locks in the same order, so two flushes cannot deadlock. */
export async function lockObjects(
  db: Transaction,
  environmentId: EnvironmentId,
  table: ObjectTable,
  ids: readonly string[],
): Promise<ObjectRow[]> {
  return await db.query<ObjectRow>(
    `select id, attributes, created_at
       from ${table.name}
      where environment_id = $1::int and id = any($2::text[])
      order by id
        for update`,
    [environmentId, ids],
  )
}

/** Returns the ids that were inserted: one that is missing was created by another node meanwhile. */
export async function insertObjects(
  db: Transaction,
  environmentId: EnvironmentId,
  table: ObjectTable,
  objects: Objects,
): Promise<string[]> {
  const keys = Object.keys(table.keys)
  const rows = await db.query<{ id: string }>(
    `insert into ${table.name} (environment_id, id, attributes, created_at, ${keys.join(', ')})
     select $1::int, *
       from json_to_recordset($2::json)
         as given (id text, attributes jsonb, created_at timestamptz, ${keys.map((key) => `${key} text`).join(', ')})
     on conflict do nothing
     returning id`,
    [environmentId, document(objects, (object) => `,"created_at":"${object.createdAt}"${keyFields(table, object)}`)],
  )
  return rows.map((row) => row.id)
}

export async function updateObjects(
  db: Transaction,
  environmentId: EnvironmentId,
  table: ObjectTable,
  objects: Objects,
): Promise<void> {
  const keys = Object.keys(table.keys)
  await db.query(
    `update ${table.name} as stored
        set attributes = given.attributes, ${keys.map((key) => `${key} = given.${key}`).join(', ')}
       from json_to_recordset($2::json)
         as given (id text, attributes jsonb, ${keys.map((key) => `${key} text`).join(', ')})
      where stored.environment_id = $1::int and stored.id = given.id`,
    [environmentId, document(objects, (object) => keyFields(table, object))],
  )
}

/** For objects that keep their place in every list: most updates do, and then no index is touched. */
export async function updateAttributes(
  db: Transaction,
  environmentId: EnvironmentId,
  table: ObjectTable,
  objects: Objects,
): Promise<void> {
  await db.query(
    `update ${table.name} as stored
        set attributes = given.attributes
       from json_to_recordset($2::json) as given (id text, attributes jsonb)
      where stored.environment_id = $1::int and stored.id = given.id`,
    [environmentId, document(objects, () => '')],
  )
}

export async function findObjects(
  db: Queryable,
  environmentId: EnvironmentId,
  table: ObjectTable,
  ids: readonly string[],
): Promise<ObjectRow[]> {
  return await db.query<ObjectRow>(
    `select id, attributes, created_at
       from ${table.name}
      where environment_id = $1::int and id = any($2::text[])`,
    [environmentId, ids],
  )
}

/** The memberships go with them (foreign keys); events and notifications have their own statements. */
export async function deleteObjects(
  db: Transaction,
  environmentId: EnvironmentId,
  table: ObjectTable,
  ids: readonly string[],
): Promise<void> {
  await db.query(`delete from ${table.name} where environment_id = $1::int and id = any($2::text[])`, [
    environmentId,
    ids,
  ])
}

type Objects = readonly [id: string, object: Stored][]

/** The rows as one JSON document, in which the attributes stand as the text that they are (see `insertEvents`). */
function document(objects: Objects, more: (object: Stored) => string): string {
  return `[${objects.map(([id, object]) => `{"id":${JSON.stringify(id)},"attributes":${object.text}${more(object)}}`).join(',')}]`
}

function keyFields(table: ObjectTable, { attributes }: Stored): string {
  return Object.entries(table.keys)
    .map(([name, key]) => `,"${name}":${JSON.stringify(key(attributes))}`)
    .join('')
}
