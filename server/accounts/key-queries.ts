import type { EnvironmentId, Queryable } from '../database/database.ts'

/** A key as it is shown after its creation. */
export interface EnvironmentKey {
  id: number
  name: string
  prefix: string
  last_four: string
  created_by: string | null
  created_at: string
  last_used_at: string | null
  revoked_at: string | null
}

const COLUMNS = 'id, name, prefix, last_four, created_by, created_at, last_used_at, revoked_at'

/** Newest first. */
export async function listKeysOf(db: Queryable, environmentId: EnvironmentId): Promise<EnvironmentKey[]> {
  return await db.query<EnvironmentKey>(
    `select ${COLUMNS} from api_keys where environment_id = $1::int order by id desc`,
    [environmentId],
  )
}

export async function findKeyOf(
  db: Queryable,
  environmentId: EnvironmentId,
  id: number,
): Promise<EnvironmentKey | undefined> {
  const [row] = await db.query<EnvironmentKey>(
    `select ${COLUMNS} from api_keys where environment_id = $1::int and id = $2::int`,
    [environmentId, id],
  )
  return row
}

export async function renameKey(db: Queryable, environmentId: EnvironmentId, id: number, name: string): Promise<void> {
  await db.query('update api_keys set name = $3::text where environment_id = $1::int and id = $2::int', [
    environmentId,
    id,
    name,
  ])
}

/** The latest use of each key, as the nodes saw it. */
export async function recordKeyUses(db: Queryable, uses: readonly { id: number; at: string }[]): Promise<void> {
  await db.query(
    `update api_keys set last_used_at = greatest(last_used_at, given.at)
       from unnest($1::int[], $2::timestamptz[]) as given (id, at)
      where api_keys.id = given.id`,
    [uses.map(({ id }) => id), uses.map(({ at }) => at)],
  )
}
