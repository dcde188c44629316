import type { Database } from '../database/database.ts'
import { hashKey, keyHints, newKey } from './keys.ts'
import { insertAccount, insertEnvironment, insertKey, listAccounts, raiseRevision } from './queries.ts'

/**
 * On a database with no account: makes one, with the environments Production and Staging and a key for the first.
 * Returns the key, or nothing when there was an account. Nodes that start together agree on one: the account's name is
 * unique, and the second waits for the first.
 */
export async function createFirstAccount(
  database: Database,
  givenKey: string | undefined,
): Promise<string | undefined> {
  if ((await listAccounts(database)).length > 0) return undefined
  const key = givenKey ?? newKey()
  const at = new Date().toISOString()
  const transaction = await database.begin()
  try {
    const account = await insertAccount(transaction, 'Default', 'self_hosted', at)
    if (account) {
      const production = await insertEnvironment(transaction, account.id, 'Production', at)
      await insertEnvironment(transaction, account.id, 'Staging', at)
      if (production !== undefined)
        await insertKey(transaction, production, { hash: hashKey(key), ...keyHints(key) }, at)
      await raiseRevision(transaction)
    }
    await transaction.commit()
    return account && key
  } catch (error) {
    await transaction.abandon(error)
    throw error
  }
}
