import type { Database, OpenTransaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { raiseRevision } from './queries.ts'

/** Changes accounts, environments or keys. The same transaction raises `control_revision`, which every node polls. */
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
