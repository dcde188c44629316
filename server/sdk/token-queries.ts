import type { EnvironmentId, Queryable } from '../database/database.ts'

/** A public token. It stands in the source of pages, so it is shown as it is. */
export interface PublicToken {
  id: number
  environment_id: EnvironmentId
  token: string
  name: string
  created_by: string | null
  created_at: string
  last_used_at: string | null
  /** After it was exchanged for another. */
  ends_at: string | null
  revoked_at: string | null
}

const COLUMNS = 'id, environment_id, token, name, created_by, created_at, last_used_at, ends_at, revoked_at'

/** Newest first. */
export async function listTokens(db: Queryable, environmentId: EnvironmentId): Promise<PublicToken[]> {
  return await db.query<PublicToken & Record<string, unknown>>(
    `select ${COLUMNS} from public_tokens where environment_id = $1::int order by id desc`,
    [environmentId],
  )
}

/** When a page was last seen. */
export async function findScriptSeen(db: Queryable, environmentId: EnvironmentId): Promise<string | null> {
  const [row] = await db.query<{ seen: string | null }>(
    'select max(last_used_at) as seen from public_tokens where environment_id = $1::int',
    [environmentId],
  )
  return row?.seen ?? null
}

export async function insertToken(
  db: Queryable,
  environmentId: EnvironmentId,
  token: string,
  name: string,
  createdBy: string | null,
  at: string,
): Promise<PublicToken> {
  const [row] = await db.query<PublicToken & Record<string, unknown>>(
    `insert into public_tokens (environment_id, token, name, created_by, created_at)
     values ($1::int, $2::text, $3::text, $4::text, $5::timestamptz)
     returning ${COLUMNS}`,
    [environmentId, token, name, createdBy, at],
  )
  return row as PublicToken
}

/** Undefined when the environment has no such token, or it was revoked, or ends already. */
export async function markTokenEnding(
  db: Queryable,
  environmentId: EnvironmentId,
  id: number,
  endsAt: string,
): Promise<PublicToken | undefined> {
  const [row] = await db.query<PublicToken & Record<string, unknown>>(
    `update public_tokens set ends_at = $3::timestamptz
      where environment_id = $1::int and id = $2::int and revoked_at is null and ends_at is null
     returning ${COLUMNS}`,
    [environmentId, id, endsAt],
  )
  return row
}

/** Undefined when the environment has no such token, or it was revoked already. */
export async function markTokenRevoked(
  db: Queryable,
  environmentId: EnvironmentId,
  id: number,
  at: string,
): Promise<PublicToken | undefined> {
  const [row] = await db.query<PublicToken & Record<string, unknown>>(
    `update public_tokens set revoked_at = $3::timestamptz
      where environment_id = $1::int and id = $2::int and revoked_at is null
     returning ${COLUMNS}`,
    [environmentId, id, at],
  )
  return row
}

/** In the order of the ids: two nodes that store the same ones wait for each other in the same order. */
export async function recordTokenUses(db: Queryable, uses: ReadonlyMap<number, number>): Promise<void> {
  const sorted = [...uses].sort(([a], [b]) => a - b)
  await db.query(
    `update public_tokens set last_used_at = greatest(last_used_at, to_timestamp(given.ms / 1000))
       from unnest($1::int[], $2::float8[]) as given (id, ms)
      where public_tokens.id = given.id`,
    [sorted.map(([id]) => id), sorted.map(([, ms]) => ms)],
  )
}
