import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { APPLICATION_NAME } from './database.ts'

/** PostgreSQL ends the sessions of a server a moment after the server has stopped. */
const ENDS_WITHIN_MS = 2_000
const ASK_AGAIN_MS = 50

/**
 * Whether a server or a command uses this database. Migrations and restores use sessions without that name. Not for use in a
 * transaction, which sees the same sessions each time that it asks.
 */
export async function isInUse(client: pg.ClientBase): Promise<boolean> {
  const deadline = performance.now() + ENDS_WITHIN_MS
  while (await hasSessions(client)) {
    if (performance.now() > deadline) return true
    await sleep(ASK_AGAIN_MS)
  }
  return false
}

async function hasSessions(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_stat_activity
      where datname = current_database() and application_name = $1::text and pid <> pg_backend_pid() limit 1`,
    [APPLICATION_NAME],
  )
  return rows.length > 0
}
