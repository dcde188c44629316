import { type Attributes, inferDataType } from '../../../contract/attributes.ts'
import type { AttributeRow, Deletion, Profile } from '../../../contract/dashboard/objects.ts'
import { humanise } from '../../../contract/names.ts'
import type { Database, EnvironmentId } from '../../database/database.ts'
import { errors } from '../../errors.ts'
import { findObjects, type ObjectRow } from '../../objects/queries.ts'
import type { ObjectTable } from '../../objects/tables.ts'
import { countOf, type DefinitionRow, findDefinitions } from './profile-queries.ts'

/** The user or group with this id. */
export async function findObject(
  database: Database,
  environmentId: EnvironmentId,
  table: ObjectTable,
  id: string,
): Promise<ObjectRow> {
  const [row] = await findObjects(database, environmentId, table, [id])
  if (!row) throw errors.notFound(table.kind, id)
  return row
}

export async function readProfile(
  database: Database,
  environmentId: EnvironmentId,
  table: ObjectTable,
  id: string,
): Promise<Profile> {
  const row = await findObject(database, environmentId, table, id)
  const attributes = JSON.parse(row.attributesJson) as Attributes
  const [definitions, memberships] = await Promise.all([
    findDefinitions(database, environmentId, table.object, Object.keys(attributes)),
    countOf(database, environmentId, 'memberships', ownerOf(table), id),
  ])
  const byName = new Map(definitions.map((definition) => [definition.name, definition]))
  return {
    id,
    created_at: row.created_at,
    attributes: Object.entries(attributes)
      .sort(([a], [b]) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1))
      .map(([name, value]) => attributeRow(name, value, byName.get(name), row.created_at)),
    memberships,
  }
}

/** These attributes come first, the others are ordered by name. */
const FIRST = ['name', 'email']
const placeOf = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length)

function attributeRow(
  name: string,
  value: Attributes[string],
  definition: DefinitionRow | undefined,
  createdAt: string,
): AttributeRow {
  const definedAt = definition?.created_at ?? createdAt
  return {
    name,
    value,
    data_type: inferDataType(value),
    defined_type: definition?.data_type ?? inferDataType(value),
    display_name: definition?.display_name ?? humanise(name),
    since: definedAt > createdAt ? definedAt : createdAt,
    written_by: definition?.written_by ?? 'back_end',
    shown_unverified: definition?.shown_unverified ?? false,
  }
}

/** What is deleted together with the object. */
export async function readDeletion(
  database: Database,
  environmentId: EnvironmentId,
  table: ObjectTable,
  id: string,
): Promise<Deletion> {
  const row = await findObject(database, environmentId, table, id)
  const owner = ownerOf(table)
  const [memberships, events, notifications] = await Promise.all([
    countOf(database, environmentId, 'memberships', owner, id),
    countOf(database, environmentId, 'events', owner, id),
    countOf(database, environmentId, 'notifications', owner, id),
  ])
  return { attributes: Object.keys(JSON.parse(row.attributesJson)).length, memberships, events, notifications }
}

export function ownerOf({ object }: ObjectTable): 'user_id' | 'group_id' {
  return object === 'user' ? 'user_id' : 'group_id'
}
