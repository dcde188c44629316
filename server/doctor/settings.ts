import { readKey } from '../secrets/key-file.ts'
import type { Config } from '../settings/config.ts'
import { StartupError } from '../startup-error.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Whether the secrets in the database can be read by the server, and not by who reads the database. */
export async function checkSecretKey(config: Config): Promise<Finding> {
  const { databaseUrl, secretKey } = config
  const unreadable = await findUnreadable(config)
  if (unreadable !== undefined) return problem('secrets', unreadable, 'The server does not start without this key.')
  const keep = databaseUrl === undefined ? 'keep a copy of secret.key of the data folder' : 'keep USHER_SECRET_KEY'
  if (databaseUrl === undefined || secretKey)
    return ok('secrets', `are sealed with a key that is neither in the database nor in a backup: ${keep}`)
  const advice = 'Set USHER_SECRET_KEY, made by openssl rand -hex 32, the same on every node, and keep it.'
  return warning('secrets', 'those of webhooks and of identities are stored as they are', advice)
}

/** What is wrong with the file of the key, when that is why it cannot be read. */
async function findUnreadable(config: Config): Promise<string | undefined> {
  try {
    await readKey(config)
    return undefined
  } catch (error) {
    if (error instanceof StartupError) return error.message
    throw error
  }
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
