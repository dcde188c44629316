import type pg from 'pg'
import type { Database } from '../database/database.ts'
import { isInUse } from '../database/in-use.ts'
import { appliedVersion } from '../database/migrate.ts'
import { readMigrations } from '../database/migration-files.ts'
import { borrowPostgres, connect } from '../database/open.ts'
import { readyTables } from '../database/ready-tables.ts'
import type { Config } from '../settings/config.ts'
import { StartupError } from '../startup-error.ts'
import { interruption } from './interruption.ts'
import { commandLog } from './log.ts'

/** A command runs one statement after the other, and the running server needs the other connections. */
const CONNECTIONS = 2

/** Runs a command on the database of this installation, migrated as the server does it. */
export async function withDatabase<T>(
  config: Config,
  work: (database: Database, connection: pg.ClientConfig) => Promise<T>,
): Promise<T> {
  const postgres = await borrowPostgres(config, commandLog, { signal: interruption.signal })
  try {
    const { topology } = await readyTables(postgres.connection, refuseUnusable)
    const database = connect(postgres.connection, CONNECTIONS, topology)
    try {
      return await work(database, postgres.connection)
    } finally {
      await database.close()
    }
  } finally {
    await postgres.stop()
  }
}

/** A command must not migrate the schema while an older server runs, and does not create a schema. */
async function refuseUnusable(client: pg.ClientBase): Promise<void> {
  const from = await appliedVersion(client)
  const to = (await readMigrations()).at(-1)?.version ?? 0
  if (from === 0)
    throw new StartupError(
      'The database holds nothing of Usher yet: npm start makes its tables, or check DATABASE_URL.',
    )
  if (from >= to) return
  if (!(await isInUse(client))) return
  throw new StartupError(
    `The database has schema version ${from} and is in use by a server; this Usher needs version ${to}: restart the server with this Usher first.`,
  )
}
