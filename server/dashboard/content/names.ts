import type { Attributes } from '../../../contract/attributes.ts'
import type { EnvironmentId, Queryable } from '../../database/database.ts'
import { findObjects } from '../../objects/queries.ts'
import { users } from '../../objects/tables.ts'

/** The names of users by their ids, of those that have one. */
export async function namesOf(
  db: Queryable,
  id: EnvironmentId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = ids.length > 0 ? await findObjects(db, id, users, [...new Set(ids)]) : []
  return new Map(
    found.flatMap((row) => {
      const { name } = JSON.parse(row.attributesJson) as Attributes
      return typeof name === 'string' ? [[row.id, name] as const] : []
    }),
  )
}
