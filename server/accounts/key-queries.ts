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

/** How a key is shown after its creation: `ak_4hx…m7qa`. */
export function shownKey({ prefix, last_four }: Pick<EnvironmentKey, 'prefix' | 'last_four'>): string {
  return `${prefix}…${last_four}`
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

/** The name of a key, or its shown form when it has none, and the slug of its environment. */
export async function findKeyNames(
  db: Queryable,
  environmentId: EnvironmentId,
  id: number,
): Promise<{ key: string; environment: string }> {
  const [row] = await db.query<{ key: string; environment: string }>(
    `select coalesce(nullif(api_keys.name, ''), prefix || '…' || last_four) as key, slug as environment
       from api_keys join environments on environments.id = environment_id
      where environment_id = $1::int and api_keys.id = $2::int`,
    [environmentId, id],
  )
  return row ?? { key: `Key ${id}`, environment: '' }
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

export interface KeyRow {
  id: number
  name: string
  prefix: string
  last_four: string
  account_id: number
  account_name: string
  environment_name: string
  environment_slug: string
  created_at: string
  last_used_at: string | null
  revoked_at: string | null
}

export async function listKeys(db: Queryable): Promise<KeyRow[]> {
  return await db.query<KeyRow>(
    `select api_keys.id, api_keys.name, prefix, last_four, account_id, accounts.name as account_name,
            environments.name as environment_name, slug as environment_slug, api_keys.created_at, last_used_at, revoked_at
       from api_keys
       join environments on environments.id = environment_id
       join accounts on accounts.id = account_id
      where deleted_at is null
      order by api_keys.id`,
    [],
  )
}

export async function insertKey(
  db: Queryable,
  environmentId: EnvironmentId,
  key: { hash: Buffer; prefix: string; lastFour: string; name?: string; createdBy?: string | undefined },
  at: string,
): Promise<number | undefined> {
  const [row] = await db.query<{ id: number }>(
    `insert into api_keys (environment_id, hash, prefix, last_four, name, created_by, created_at)
     values ($1::int, $2::bytea, $3::text, $4::text, $5::text, $6::text, $7::timestamptz)
     on conflict do nothing
     returning id`,
    [environmentId, key.hash, key.prefix, key.lastFour, key.name ?? '', key.createdBy, at],
  )
  return row?.id
}

/** Returns false when there is no such key, or it was revoked already. */
export async function revokeKey(db: Queryable, id: number, at: string): Promise<boolean> {
  const rows = await db.query(
    'update api_keys set revoked_at = $2::timestamptz where id = $1::int and revoked_at is null returning id',
    [id, at],
  )
  return rows.length > 0
}
