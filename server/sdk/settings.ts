import { randomBytes } from 'node:crypto'
import type { IdentitySetting } from '../../contract/sdk/identity.ts'
import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import type { SealedColumn } from '../secrets/sealed-column.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { insertSettings } from './settings-queries.ts'

export const DEFAULT_IDENTITY: IdentitySetting = 'report'

/** Where the sealed key of an environment's visitor tokens opens. */
export const visitorKeyPlace = (environmentId: EnvironmentId) => `visitors ${environmentId}`

export const sealedVisitorKeys: SealedColumn = {
  table: 'public_settings',
  column: 'visitor_key',
  type: 'text',
  id: 'environment_id',
  idType: 'int',
  place: visitorKeyPlace,
}

/** An environment has settings from its first token or its first identity secret on. */
export async function ensureSettings(
  transaction: OpenTransaction,
  box: SecretBox,
  environmentId: EnvironmentId,
): Promise<void> {
  const key = randomBytes(32).toString('base64url')
  await insertSettings(transaction, environmentId, DEFAULT_IDENTITY, box.seal(key, visitorKeyPlace(environmentId)))
}
