import type { EnvironmentId } from '../database/database.ts'
import { errors } from '../errors.ts'
import { renderExpanded } from '../expand/expand.ts'
import type { ExpandTree } from '../expand/paths.ts'
import { renderGroup, renderUser } from '../render.ts'
import type { Services } from '../services.ts'
import { findObjects } from './queries.ts'
import { type ObjectTable, users } from './tables.ts'

/** The response of a GET by id: gathered with others when nothing is expanded, else a consistent view of all of it. */
export async function getObject(
  services: Services,
  environmentId: EnvironmentId,
  table: ObjectTable,
  id: string,
  tree: ExpandTree,
): Promise<string> {
  if (tree.size === 0) {
    const row = await services.reader.find(environmentId, table, id)
    if (!row) throw errors.notFound(table.kind, id)
    return table === users ? renderUser(row) : renderGroup(row)
  }
  return await services.database.snapshot(async (db) => {
    const rows = await findObjects(db, environmentId, table, [id])
    if (rows.length === 0) throw errors.notFound(table.kind, id)
    const [json] = await renderExpanded(db, environmentId, table.object, rows, tree)
    return json as string
  })
}
