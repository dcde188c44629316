import type pg from 'pg'
import { APPLICATION_NAME } from './database.ts'

/** Whether a server or a command uses this database. Migrations and restores use sessions without that name. */
export async function isInUse(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_stat_activity
      where datname = current_database() and application_name = $1::text and pid <> pg_backend_pid() limit 1`,
    [APPLICATION_NAME],
  )
  return rows.length > 0
}
