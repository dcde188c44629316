import type { EnvironmentId, Queryable } from '../database/database.ts'

/** A secret that signatures of identities are checked with, as it is shown after its creation. */
export interface IdentitySecret {
  id: string
  last_four: string
  created_by: string | null
  created_at: string
  last_used_at: string | null
}

const COLUMNS = 'id, last_four, created_by, created_at, last_used_at'

/** Oldest first. */
export async function listSecrets(db: Queryable, environmentId: EnvironmentId): Promise<IdentitySecret[]> {
  return await db.query<IdentitySecret & Record<string, unknown>>(
    `select ${COLUMNS} from identity_secrets where environment_id = $1::int order by created_at, id`,
    [environmentId],
  )
}

export async function insertSecret(
  db: Queryable,
  environmentId: EnvironmentId,
  secret: { id: string; sealed: string; lastFour: string; createdBy: string | null; at: string },
): Promise<void> {
  await db.query(
    `insert into identity_secrets (environment_id, id, secret, last_four, created_by, created_at)
     values ($1::int, $2::uuid, $3::text, $4::text, $5::text, $6::timestamptz)`,
    [environmentId, secret.id, secret.sealed, secret.lastFour, secret.createdBy, secret.at],
  )
}

export async function deleteSecret(
  db: Queryable,
  environmentId: EnvironmentId,
  id: string,
): Promise<IdentitySecret | undefined> {
  const [row] = await db.query<IdentitySecret & Record<string, unknown>>(
    `delete from identity_secrets where environment_id = $1::int and id = $2::uuid returning ${COLUMNS}`,
    [environmentId, id],
  )
  return row
}

/** In the order of the ids: two nodes that store the same ones wait for each other in the same order. */
export async function recordSecretUses(
  db: Queryable,
  uses: readonly { environmentId: EnvironmentId; id: string; ms: number }[],
): Promise<void> {
  const sorted = uses.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  await db.query(
    `update identity_secrets set last_used_at = greatest(last_used_at, to_timestamp(given.ms / 1000))
       from unnest($1::int[], $2::uuid[], $3::float8[]) as given (environment_id, id, ms)
      where identity_secrets.environment_id = given.environment_id and identity_secrets.id = given.id`,
    [sorted.map(({ environmentId }) => environmentId), sorted.map(({ id }) => id), sorted.map(({ ms }) => ms)],
  )
}
