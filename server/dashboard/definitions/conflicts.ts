import type { TypeConflict } from '../../../contract/dashboard/definitions.ts'
import type { Database, EnvironmentId } from '../../database/database.ts'
import { findObjects } from '../../objects/queries.ts'
import { groups, users } from '../../objects/tables.ts'
import { type ConflictRow, listConflicts } from './queries.ts'

/** An example of each type that is not the defined one. The id of a user or group that was deleted since is left out. */
export async function readConflicts(
  database: Database,
  environmentId: EnvironmentId,
  scope: string,
  name: string,
): Promise<TypeConflict[]> {
  const rows = await listConflicts(database, environmentId, scope, name)
  const ids = rows.flatMap(({ object_id }) => object_id ?? [])
  const table = scope === 'group' ? groups : users
  const found = ids.length > 0 ? await findObjects(database, environmentId, table, ids) : []
  const isThere = new Set(found.map(({ id }) => id))
  return rows.map((row) => conflictOutput(row, isThere))
}

function conflictOutput({ object_id, example, ...row }: ConflictRow, isThere: ReadonlySet<string>): TypeConflict {
  return { ...row, object_id: isThere.has(object_id ?? '') ? object_id : null, example: JSON.parse(example) }
}
