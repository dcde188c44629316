import type { Database, OpenTransaction } from './database.ts'

export async function inTransaction<T>(
  database: Database,
  work: (transaction: OpenTransaction) => Promise<T>,
): Promise<T> {
  const transaction = await database.begin()
  try {
    const result = await work(transaction)
    await transaction.commit()
    return result
  } catch (error) {
    await transaction.abandon(error)
    throw error
  }
}
