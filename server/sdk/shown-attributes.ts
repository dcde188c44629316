import type { EnvironmentId, Queryable } from '../database/database.ts'
import type { MayShow } from '../sessions/hand-out.ts'
import { sentDigest } from './sent-values.ts'
import type { Visitor } from './visitor.ts'

/**
 * What templates may show to this visitor; undefined: everything. A page that is not verified is shown attributes that are
 * marked so, and of its user the values that it has sent itself.
 */
export async function shownTo(
  db: Queryable,
  environmentId: EnvironmentId,
  { isVerified, sent }: Visitor,
): Promise<MayShow | undefined> {
  if (isVerified) return undefined
  const rows = await findShownUnverified(db, environmentId)
  const marked = new Set(rows.map(({ scope, name }) => `${scope} ${name}`))
  return (of, name, value) =>
    marked.has(`${of} ${name}`) || (of === 'user' && sent.length > 0 && sent.includes(sentDigest(name, value)))
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
