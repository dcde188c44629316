import type { EnvironmentId, Queryable } from '../database/database.ts'

export async function listOrigins(db: Queryable, environmentId: EnvironmentId): Promise<string[]> {
  const rows = await db.query<{ origin: string }>(
    'select origin from public_origins where environment_id = $1::int order by origin',
    [environmentId],
  )
  return rows.map(({ origin }) => origin)
}

/** Returns false when it was there. */
export async function insertOrigin(
  db: Queryable,
  environmentId: EnvironmentId,
  origin: string,
  at: string,
): Promise<boolean> {
  const rows = await db.query(
    `insert into public_origins (environment_id, origin, created_at) values ($1::int, $2::text, $3::timestamptz)
     on conflict do nothing
     returning 1`,
    [environmentId, origin, at],
  )
  return rows.length > 0
}

export async function deleteOrigin(db: Queryable, environmentId: EnvironmentId, origin: string): Promise<boolean> {
  const rows = await db.query(
    'delete from public_origins where environment_id = $1::int and origin = $2::text returning 1',
    [environmentId, origin],
  )
  return rows.length > 0
}
