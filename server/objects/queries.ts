import type { EnvironmentId, Queryable, Transaction } from '../database/database.ts'
import { mapForms, queryParts } from '../database/forms.ts'
import { findForms, whereForms } from '../database/key-forms.ts'
import { type Indexed, itemsOf, ofOne, type Part, rowsByPart } from '../database/parts.ts'
import { forTables, KEY } from './forms.ts'
import type { ObjectTable } from './tables.ts'

/** A user or a group as it is read. The time is in ISO 8601. */
export interface ObjectRow {
  id: string
  attributesJson: string
  created_at: string
}

const COLUMNS = 'id, attributes as "attributesJson", created_at'
/** The coordinator parses jsonb and writes it again, but passes a text on. Measured for 30 rows: 65 µs of its 400. */
const SHARDED = { shardedColumns: COLUMNS.replace('attributes', 'attributes::text') }

/** `no key`, because ids never change: a new membership of a group does not wait for a change of the group. */
const LOCK = forTables(({ name }) => findForms(name, KEY, COLUMNS, { ...SHARDED, lock: 'for no key update' }))

/**
 * Locks in the order of environments and ids: every writer takes its locks in the same order, so two batches cannot
 * deadlock. The ids of a part must be sorted. Returns the found objects of each part.
 */
export async function lockObjects(
  db: Transaction,
  table: ObjectTable,
  ids: readonly Part<string>[],
): Promise<ObjectRow[][]> {
  return rowsByPart(ids, await queryParts<ObjectRow & Indexed>(db, LOCK[table.name], ids, [itemsOf(ids)]))
}

const FIND = forTables(({ name }) => findForms(name, KEY, COLUMNS, SHARDED))

export async function findObjectsByPart(
  db: Queryable,
  table: ObjectTable,
  ids: readonly Part<string>[],
): Promise<ObjectRow[][]> {
  return rowsByPart(ids, await queryParts<ObjectRow & Indexed>(db, FIND[table.name], ids, [itemsOf(ids)]))
}

export async function findObjects(
  db: Queryable,
  environmentId: EnvironmentId,
  table: ObjectTable,
  ids: readonly string[],
): Promise<ObjectRow[]> {
  return await queryParts<ObjectRow>(db, FIND[table.name], ofOne(environmentId, ids), [ids])
}

const FIND_CREATIONS = forTables(({ name }) => findForms(name, KEY, 'id, created_at'))

/** When those that exist were created, by their id. Their attributes, which can be large, are not read. */
export async function findCreations(
  db: Queryable,
  environmentId: EnvironmentId,
  table: ObjectTable,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const found = await queryParts<Pick<ObjectRow, 'id' | 'created_at'>>(
    db,
    FIND_CREATIONS[table.name],
    ofOne(environmentId, ids),
    [ids],
  )
  return new Map(found.map(({ id, created_at }) => [id, created_at]))
}

/** Of several environments. Each row has the number of its key, from 1. */
export async function findObjectsOfEnvironments(
  db: Queryable,
  table: ObjectTable,
  keys: readonly { environmentId: EnvironmentId; id: string }[],
): Promise<(ObjectRow & { key_number: number })[]> {
  return await db.query<ObjectRow & { key_number: number }>(FIND[table.name].many, [
    keys.map(({ environmentId }) => environmentId),
    keys.map(({ id }) => id),
  ])
}

const DELETE = forTables(({ name }) => mapForms(whereForms(name, KEY), (where) => `delete from ${name} where ${where}`))

/** Objects that were locked. Memberships, events and notifications have their own statements. */
export async function deleteObjects(
  db: Transaction,
  environmentId: EnvironmentId,
  table: ObjectTable,
  ids: readonly string[],
): Promise<void> {
  await queryParts(db, DELETE[table.name], ofOne(environmentId, ids), [ids])
}
