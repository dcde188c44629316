import type { Database, OpenTransaction } from '../database/database.ts'
import { raiseRevision } from './queries.ts'

/** A change of accounts, environments or keys: in one transaction with the number that tells every node of it. */
export async function changeControl<T>(
  database: Database,
  change: (transaction: OpenTransaction) => Promise<T>,
): Promise<T> {
  const transaction = await database.begin()
  try {
    const result = await change(transaction)
    await raiseRevision(transaction)
    await transaction.commit()
    return result
  } catch (error) {
    await transaction.abandon(error)
    throw error
  }
}
