import type pg from 'pg'
import { withLockRetries } from './lock-retries.ts'
import { SCHEMA } from './session.ts'

const CONCURRENTLY = /\bindex concurrently\b/i
const CREATED = /\bcreate (?:unique )?index concurrently (?:if not exists )?(\w+)/i

/** The same index, for a transaction. */
export const withoutConcurrently = (statement: string) => statement.replace(CONCURRENTLY, 'index')

/**
 * Runs a statement of a migration that has no transaction. An index that is made concurrently waits for the transactions of
 * others as long as they last: nothing waits behind it. Any other statement gives way to writes.
 */
export async function runAlone(client: pg.ClientBase, statement: string): Promise<void> {
  if (!CONCURRENTLY.test(statement)) await withLockRetries(client, () => client.query(statement))
  else {
    await dropBroken(client, CREATED.exec(statement)?.[1])
    await client.query(statement)
  }
}

/** A try that was interrupted leaves an index that is kept up and never read; `if not exists` would be content with it. */
async function dropBroken(client: pg.ClientBase, index: string | undefined): Promise<void> {
  const { rowCount } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1::text) and not indisvalid',
    [`${SCHEMA}.${index}`],
  )
  if (rowCount === 1) await client.query(`drop index concurrently ${SCHEMA}.${index}`)
}
