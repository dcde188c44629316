import { randomBytes } from 'node:crypto'
import { raiseRevision } from '../accounts/queries.ts'
import type { Database, EnvironmentId, OpenTransaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { visitorKeyPlace } from './settings.ts'

/**
 * For when the key of the stored secrets is lost: pages identify again, and identity secrets have to be created again. Until
 * then no identity is verified, so `required` becomes `report`.
 */
export async function resetPublicSecrets(database: Database, box: SecretBox): Promise<void> {
  await inTransaction(database, async (transaction) => {
    for (const id of await listSettings(transaction)) {
      const key = randomBytes(32).toString('base64url')
      await replaceKey(transaction, id, box.seal(key, visitorKeyPlace(id)))
    }
    await raiseRevision(transaction)
  })
}

async function listSettings(db: OpenTransaction): Promise<EnvironmentId[]> {
  const rows = await db.query<{ id: EnvironmentId }>(
    'select environment_id as id from public_settings order by environment_id for update',
    [],
  )
  return rows.map(({ id }) => id)
}

async function replaceKey(db: OpenTransaction, environmentId: EnvironmentId, sealed: string): Promise<void> {
  await db.query('delete from identity_secrets where environment_id = $1::int', [environmentId])
  await db.query(
    `update public_settings
        set visitor_key = $2::text, identity = case when identity = 'required' then 'report' else identity end
      where environment_id = $1::int`,
    [environmentId, sealed],
  )
}
