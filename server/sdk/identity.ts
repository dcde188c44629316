import type { IdentitySetting } from '../../contract/sdk/identity.ts'
import { sdkLimits } from '../../contract/sdk/limits.ts'
import { randomText } from '../accounts/keys.ts'
import type { Database, EnvironmentId, Queryable } from '../database/database.ts'
import { errors } from '../errors.ts'
import { newId } from '../ids.ts'
import type { SealedColumn } from '../secrets/sealed-column.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { changePublicSide, type PublicChange } from './change.ts'
import { deleteSecret, type IdentitySecret, insertSecret, listSecrets } from './secret-queries.ts'
import { DEFAULT_IDENTITY, ensureSettings } from './settings.ts'
import { findIdentity, lockIdentity, updateIdentity } from './settings-queries.ts'

/** Where a sealed identity secret opens. */
export const secretPlace = (environmentId: EnvironmentId, id: string) => `identity ${environmentId} ${id}`

export const sealedIdentitySecrets: SealedColumn = {
  table: 'identity_secrets',
  column: 'secret',
  type: 'text',
  id: 'id',
  idType: 'uuid',
  place: secretPlace,
}

export interface IdentityState {
  setting: IdentitySetting
  secrets: IdentitySecret[]
}

export async function readIdentity(db: Queryable, environmentId: EnvironmentId): Promise<IdentityState> {
  const [setting, secrets] = await Promise.all([findIdentity(db, environmentId), listSecrets(db, environmentId)])
  return { setting: setting ?? DEFAULT_IDENTITY, secrets }
}

/** Returns the secret, which is not shown again. A second one may be live, so that it can be exchanged without a gap. */
export async function createSecret(
  database: Database,
  box: SecretBox,
  change: PublicChange,
): Promise<{ id: string; secret: string }> {
  const { actor, environment } = change
  const at = new Date().toISOString()
  const { id, secret, row } = newSecret(box, environment.id, actor.name, at)
  return await changePublicSide(database, change, async (transaction) => {
    await ensureSettings(transaction, box, environment.id)
    await lockIdentity(transaction, environment.id)
    const live = await listSecrets(transaction, environment.id)
    if (live.length >= sdkLimits.identitySecrets)
      throw errors.conflict(
        `An environment has at most ${sdkLimits.identitySecrets} identity secrets. Revoke the older one first.`,
      )
    await insertSecret(transaction, environment.id, row)
    return { result: { id, secret }, entry: { action: 'identity.secret_created', target: { id } } }
  })
}

/** A secret as it is given to somebody, and as it is stored. */
export function newSecret(box: SecretBox, environmentId: EnvironmentId, createdBy: string, at: string) {
  const [id, secret] = [newId(), `ids_${randomText(52)}`]
  const sealed = box.seal(secret, secretPlace(environmentId, id))
  return { id, secret, row: { id, sealed, lastFour: secret.slice(-4), createdBy, at } }
}

/** Undefined when there is no such secret. `required` without a secret would refuse every page. */
export async function revokeSecret(
  database: Database,
  change: PublicChange,
  id: string,
): Promise<IdentitySecret | undefined> {
  const { environment } = change
  return await changePublicSide(database, change, async (transaction) => {
    const setting = await lockIdentity(transaction, environment.id)
    const secret = await deleteSecret(transaction, environment.id, id)
    if (secret && setting === 'required' && (await listSecrets(transaction, environment.id)).length === 0)
      throw errors.conflict(
        'Identity is required, and this is the only secret. Create another, or change the setting to report first.',
      )
    return { result: secret, entry: secret && { action: 'identity.secret_revoked', target: { id } } }
  })
}

export async function setIdentity(
  database: Database,
  box: SecretBox,
  change: PublicChange,
  setting: IdentitySetting,
): Promise<void> {
  const { environment } = change
  await changePublicSide(database, change, async (transaction) => {
    await ensureSettings(transaction, box, environment.id)
    const before = await lockIdentity(transaction, environment.id)
    if (setting === 'required' && (await listSecrets(transaction, environment.id)).length === 0)
      throw errors.conflict(
        'Identity cannot be required without a secret. Create one first: npx usher identity create-secret --environment NAME',
      )
    await updateIdentity(transaction, environment.id, setting)
    const entry = {
      action: 'identity.changed',
      target: { id: environment.id },
      before: { identity: before },
      after: { identity: setting },
    } as const
    return { result: undefined, entry: before === setting ? undefined : entry }
  })
}
