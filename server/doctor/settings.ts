import { readRecord } from '../database/embedded/record.ts'
import { keyFileOf, readKey } from '../secrets/key-file.ts'
import type { Config } from '../settings/config.ts'
import { StartupError } from '../startup-error.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Whether the secrets in the database can be read by the server, and not by who reads the database. */
export async function checkSecretKey(config: Config): Promise<Finding> {
  let key: Buffer | undefined
  try {
    key = await readKey(config)
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    return problem('secrets', error.message, 'The server does not start without this key.')
  }
  if (key === undefined && (await isKeyMissing(config))) {
    const advice = 'Put it back from where you keep it: the server does not start without the key of stored secrets.'
    return warning('secrets', `their key ${keyFileOf(config)} is not there`, advice)
  }
  const isInFile = config.databaseUrl === undefined && config.secretKey === undefined
  const keep = isInFile ? 'keep a copy of secret.key of the data folder' : 'keep USHER_SECRET_KEY'
  if (isInFile || key !== undefined)
    return ok('secrets', `are sealed with a key that is neither in the database nor in a backup: ${keep}`)
  const advice = 'Set USHER_SECRET_KEY, made by openssl rand -hex 32, the same on every node, and keep it.'
  return warning('secrets', 'those of webhooks and of identities are stored as they are', advice)
}

/** Whether there is an embedded database without its key, as after a restore. A first start makes both. */
async function isKeyMissing({ databaseUrl, dataDir }: Config): Promise<boolean> {
  if (databaseUrl !== undefined) return false
  // Another finding says that the record cannot be read.
  return (await readRecord(dataDir).catch(() => undefined)) !== undefined
}

/** Whether a holder of a key can reach addresses that only this machine should reach, by a webhook. */
export function checkWebhookTargets({ webhookAllowPrivate, isPublic }: Config): Finding {
  if (!webhookAllowPrivate) return ok('webhook targets', 'private addresses are refused')
  if (!isPublic) return ok('webhook targets', 'private addresses are allowed, as only this machine reaches the server')
  return warning(
    'webhook targets',
    'private addresses are allowed, and others reach the server: who has a key can read answers of internal services',
    'Unset USHER_WEBHOOK_ALLOW_PRIVATE, unless everybody with a key may reach the network of this server.',
  )
}
