import type pg from 'pg'

/** A transaction of a connection outside the pool. */
export async function inClientTransaction<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    // A lost connection has rolled back; the first error says why.
    await client.query('rollback').catch(() => {})
    throw error
  }
}
