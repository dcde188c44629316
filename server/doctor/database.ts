import type pg from 'pg'
import { appliedVersion, isUsableBy, missingMigrations } from '../database/migrate.ts'
import { readMigrations } from '../database/migration-files.ts'
import { queryableOf } from '../database/queryable.ts'
import { findPause } from '../webhooks/pause.ts'
import { byItself } from './by-itself.ts'
import { checkClock } from './clock.ts'
import { checkCluster } from './cluster.ts'
import { type Finding, ok, problem } from './finding.ts'
import { checkGuidance } from './guidance.ts'
import { checkIndexes } from './indexes.ts'
import { judgePause } from './pause.ts'
import { checkTables } from './tables.ts'

const START = 'Start (or restart) the server: it applies the missing ones first.'

/** Whether PostgreSQL holds what this code expects. */
export async function examineDatabase(client: pg.ClientBase): Promise<Finding[]> {
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  const schema = await byItself('migrations', () => checkSchema(client))
  const answers = ok('database', `PostgreSQL ${rows[0]?.server_version} answers`)
  if (schema.some(({ status }) => status !== 'ok')) return [answers, ...schema]
  return [
    answers,
    ...schema,
    ...(await byItself('indexes', () => checkIndexes(client))),
    ...(await byItself('tables', () => checkTables(client))),
    ...(await byItself('clock', () => checkClock(client))),
    ...(await byItself('webhooks', async () => judgePause(await findPause(queryableOf(client))))),
    ...(await byItself('guidance', () => checkGuidance(client))),
    ...(await byItself('cluster', () => checkCluster(client))),
  ]
}

async function checkSchema(client: pg.ClientBase): Promise<Finding> {
  const migrations = await readMigrations()
  const known = migrations.at(-1)?.version ?? 0
  const applied = await appliedVersion(client)
  const missing = applied < known ? [] : await missingMigrations(client, migrations)
  if (missing.length > 0) return problem('migrations', `missing: ${missing.map(({ name }) => name).join(', ')}`, START)
  if (applied === known) return ok('migrations', `all ${known} are applied`)
  const finding = `the database has schema version ${applied}, this Usher has ${known}`
  if (applied > known && (await isUsableBy(client, known)))
    return ok('migrations', `${finding}; the newer ones only add`)
  if (applied > known) return problem('migrations', finding, 'Install the Usher that wrote it, or a newer one.')
  return problem('migrations', finding, START)
}
