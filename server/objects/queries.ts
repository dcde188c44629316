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
  objects: readonly [id: string, object: Stored][],
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `insert into ${table.name} (environment_id, id, attributes, created_at, ${keyNames(table)})
     select $1::int, * from unnest($2::text[], $3::jsonb[], $4::timestamptz[], ${keyParameters(table, 5)})
     on conflict do nothing
     returning id`,
    [
      environmentId,
      ids(objects),
      attributes(objects),
      objects.map(([, { createdAt }]) => createdAt),
      ...keyValues(table, objects),
    ],
  )
  return rows.map((row) => row.id)
}

export async function updateObjects(
  db: Transaction,
  environmentId: EnvironmentId,
  table: ObjectTable,
  objects: readonly [id: string, object: Stored][],
): Promise<void> {
  const keys = Object.keys(table.keys)
  await db.query(
    `update ${table.name} as stored
        set attributes = given.attributes, ${keys.map((key) => `${key} = given.${key}`).join(', ')}
       from unnest($2::text[], $3::jsonb[], ${keyParameters(table, 4)}) as given (id, attributes, ${keyNames(table)})
      where stored.environment_id = $1::int and stored.id = given.id`,
    [environmentId, ids(objects), attributes(objects), ...keyValues(table, objects)],
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
       from unnest($2::text[], $3::jsonb[]) as given (id, attributes)
      where stored.environment_id = $1::int and stored.id = given.id`,
    [environmentId, ids(objects), attributes(objects)],
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

const ids = (objects: Objects) => objects.map(([id]) => id)
const attributes = (objects: Objects) => objects.map(([, object]) => object.text)
const keyNames = (table: ObjectTable) => Object.keys(table.keys).join(', ')
const keyParameters = (table: ObjectTable, first: number) =>
  Object.keys(table.keys)
    .map((_, index) => `$${first + index}::text[]`)
    .join(', ')
const keyValues = (table: ObjectTable, objects: Objects) =>
  Object.values(table.keys).map((key) => objects.map(([, object]) => key(object.attributes)))
