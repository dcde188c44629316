import type { IdentitySetting } from '../../contract/sdk/identity.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'

export async function insertSettings(
  db: Queryable,
  environmentId: EnvironmentId,
  identity: IdentitySetting,
  visitorKey: string,
): Promise<void> {
  await db.query(
    `insert into public_settings (environment_id, identity, visitor_key) values ($1::int, $2::text, $3::text)
     on conflict do nothing`,
    [environmentId, identity, visitorKey],
  )
}

/** Locks the row: a change of the setting, and of the number of secrets, is made by one at a time. */
export async function lockIdentity(db: Queryable, environmentId: EnvironmentId): Promise<IdentitySetting | undefined> {
  const [row] = await db.query<{ identity: IdentitySetting }>(
    'select identity from public_settings where environment_id = $1::int for update',
    [environmentId],
  )
  return row?.identity
}

export async function findIdentity(db: Queryable, environmentId: EnvironmentId): Promise<IdentitySetting | undefined> {
  const [row] = await db.query<{ identity: IdentitySetting }>(
    'select identity from public_settings where environment_id = $1::int',
    [environmentId],
  )
  return row?.identity
}

export async function updateIdentity(
  db: Queryable,
  environmentId: EnvironmentId,
  identity: IdentitySetting,
): Promise<void> {
  await db.query('update public_settings set identity = $2::text where environment_id = $1::int', [
    environmentId,
    identity,
  ])
}
