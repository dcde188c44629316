import type { Database } from '../database/database.ts'
import { changeControl } from './change.ts'
import { createAccount, createKey } from './create.ts'
import { findFirstAccount } from './queries.ts'

/**
 * Creates an account and a key for its first environment when the database has no account. Returns the key, or undefined
 * when there was an account. Nodes that start together create one account: its name is unique, and the second node waits
 * for the first.
 */
export async function createFirstAccount(
  database: Database,
  givenKey: string | undefined,
): Promise<string | undefined> {
  if (await findFirstAccount(database)) return undefined
  const at = new Date().toISOString()
  return await changeControl(database, async (transaction) => {
    const created = await createAccount(transaction, 'Default', 'self_hosted', at)
    const [production] = created?.environments ?? []
    return production && (await createKey(transaction, production.id, at, { key: givenKey, name: 'First key' })).key
  })
}
