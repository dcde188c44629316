import { listAccounts } from '../accounts/queries.ts'
import type { Database } from '../database/database.ts'
import { createLink } from './links.ts'
import { hasOwner } from './queries.ts'

/**
 * The path of a new one-time link behind which the owner sets e-mail and password; nothing once there is an owner. It is
 * printed, never sent: only somebody who sees the server's output gets in before the owner exists. Those that were printed
 * before work too, so that two nodes that start at once print two links that work. The first that is used ends them all.
 */
export async function createSetUpLink(database: Database): Promise<string | undefined> {
  if (await hasOwner(database)) return undefined
  const [account] = await listAccounts(database)
  return account && (await createLink(database, { accountId: account.id, kind: 'set_up', role: 'owner' })).path
}
