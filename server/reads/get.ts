import type { EnvironmentId } from '../database/database.ts'
import { errors } from '../errors.ts'
import { expandOne } from '../expand/expand.ts'
import type { ExpandTree } from '../expand/paths.ts'
import type { ObjectRow } from '../objects/queries.ts'
import { type Expanded, renderGroup, renderUser } from '../objects/render.ts'
import { type ObjectTable, users } from '../objects/tables.ts'
import type { Services } from '../services.ts'

/** The response of a GET by id. Without expansions it is read in one statement with others. */
export async function getObject(
  services: Services,
  environmentId: EnvironmentId,
  table: ObjectTable,
  id: string,
  tree: ExpandTree,
): Promise<string> {
  const row: (ObjectRow & { expanded?: Expanded }) | undefined =
    tree.size === 0
      ? await services.reader.find(environmentId, table, id)
      : await expandOne<ObjectRow>(services.database, environmentId, table.object, tree, rowOf(table), [id])
  if (!row) throw errors.notFound(table.kind, id)
  return (table === users ? renderUser : renderGroup)(row, row.expanded)
}

const rowOf = ({ name }: ObjectTable) =>
  `select id, attributes as "attributesJson", created_at from ${name} where environment_id = $1::int and id = $2::text`
