import type { Database } from '../database/database.ts'
import { changeControl } from './change.ts'
import { createAccount, createKey } from './create.ts'
import { listAccounts } from './queries.ts'

/**
 * On a database with no account: makes one, and a key for its first environment. Returns the key, or nothing when there
 * was an account. Nodes that start together agree on one: the account's name is unique, and the second waits for the
 * first.
 */
export async function createFirstAccount(
  database: Database,
  givenKey: string | undefined,
): Promise<string | undefined> {
  if ((await listAccounts(database)).length > 0) return undefined
  const at = new Date().toISOString()
  return await changeControl(database, async (transaction) => {
    const created = await createAccount(transaction, 'Default', 'self_hosted', at)
    const [production] = created?.environments ?? []
    return production && (await createKey(transaction, production.id, at, { key: givenKey, name: 'First key' })).key
  })
}
