import type { Database, OpenTransaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { raiseRevision } from './queries.ts'

/** A change of accounts, environments or keys: in one transaction with the number that tells every node of it. */
export async function changeControl<T>(
  database: Database,
  change: (transaction: OpenTransaction) => Promise<T>,
): Promise<T> {
  return await inTransaction(database, async (transaction) => {
    const result = await change(transaction)
    await raiseRevision(transaction)
    return result
  })
}
