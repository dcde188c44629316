import type pg from 'pg'
import type { Config } from '../../config.ts'
import { appliedVersion, readMigrations } from '../../database/migrate.ts'
import { borrowPostgres, type PostgresServer } from '../../database/open.ts'
import { openSession } from '../../database/session.ts'
import { interruption } from '../interruption.ts'
import { commandLog } from '../log.ts'
import { type Finding, ok, problem } from './finding.ts'
import { checkIndexes } from './indexes.ts'
import { checkTables } from './tables.ts'

/** Whether PostgreSQL answers, and holds what this code expects. */
export async function checkDatabase(config: Config): Promise<Finding[]> {
  let postgres: PostgresServer
  try {
    postgres = await borrowPostgres(config, commandLog, { signal: interruption.signal })
  } catch (error) {
    return [problem('database', (error as Error).message, reachAdvice(config))]
  }
  try {
    return await examine(postgres.connection)
  } catch (error) {
    return [problem('database', (error as Error).message, reachAdvice(config))]
  } finally {
    await postgres.stop()
  }
}

function reachAdvice(config: Config): string {
  if (config.databaseUrl === undefined) return `Look into ${config.dataDir}/postgres.log, where PostgreSQL says more.`
  return 'Try the address with psql, from this machine.'
}

async function examine(connection: pg.ClientConfig): Promise<Finding[]> {
  const client = await openSession(connection)
  try {
    const { rows } = await client.query<{ server_version: string }>('show server_version')
    const schema = await checkSchema(client)
    const rest = schema.status === 'ok' ? [await checkIndexes(client), await checkTables(client)] : []
    return [ok('database', `PostgreSQL ${rows[0]?.server_version} answers`), schema, ...rest]
  } finally {
    await client.end()
  }
}

async function checkSchema(client: pg.ClientBase): Promise<Finding> {
  const known = (await readMigrations()).at(-1)?.version ?? 0
  const applied = await appliedVersion(client)
  if (applied === known) return ok('migrations', `all ${known} are applied`)
  const finding = `the database has schema version ${applied}, this Usher has ${known}`
  if (applied > known) return problem('migrations', finding, 'Install the Usher that wrote it, or a newer one.')
  return problem('migrations', finding, 'Start (or restart) the server: it applies the missing ones first.')
}
