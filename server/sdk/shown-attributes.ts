import type { EnvironmentId, Queryable } from '../database/database.ts'
import type { ShownAttributes } from '../sessions/hand-out.ts'
import type { Visitor } from './visitor.ts'

/** What templates may show to this visitor. Undefined: everything. */
export async function shownTo(
  db: Queryable,
  environmentId: EnvironmentId,
  { isVerified }: Visitor,
): Promise<ShownAttributes | undefined> {
  if (isVerified) return undefined
  const rows = await findShownUnverified(db, environmentId)
  const namesOf = (scope: string) => new Set(rows.filter((row) => row.scope === scope).map(({ name }) => name))
  return { user: namesOf('user'), group: namesOf('group') }
}

async function findShownUnverified(
  db: Queryable,
  environmentId: EnvironmentId,
): Promise<{ scope: string; name: string }[]> {
  return await db.query<{ scope: string; name: string }>(
    'select scope, name from attribute_definitions where environment_id = $1::int and shown_unverified',
    [environmentId],
  )
}
