import type pg from 'pg'
import type { Database } from '../../database/database.ts'
import { isUnreachable } from '../../database/errors.ts'
import { connect, findPostgres } from '../../database/open.ts'
import { openSession, type Session } from '../../database/session.ts'
import { PLAIN, readTopology } from '../../database/topology.ts'
import { types } from '../../database/types.ts'
import { judgeBacklog } from '../../doctor/backlog.ts'
import { byItself } from '../../doctor/by-itself.ts'
import { examineDatabase } from '../../doctor/database.ts'
import { type Finding, problem, warning } from '../../doctor/finding.ts'
import { checkReplicas } from '../../doctor/replicas.ts'
import { checkRotation } from '../../doctor/rotation.ts'
import { readKey } from '../../secrets/key-file.ts'
import type { Config } from '../../settings/config.ts'
import { measureBacklog } from '../../webhooks/backlog.ts'
import { sealedForLong } from '../secrets/sealed-columns.ts'

/** Whether PostgreSQL answers, and holds what this code expects. It only reads: nothing is started, changed or stopped. */
export async function checkDatabase(config: Config): Promise<Finding[]> {
  try {
    const connection = await findPostgres(config)
    return connection ? await examine(config, connection) : [notRunning(config)]
  } catch (error) {
    return [problem('database', (error as Error).message, reachAdvice(config))]
  }
}

function notRunning({ dataDir }: Config): Finding {
  const finding = `not examined: the PostgreSQL of ${dataDir} does not run`
  return warning('database', finding, 'Start the server, and run this again.')
}

async function examine(config: Config, connection: pg.ClientConfig): Promise<Finding[]> {
  const client = await openSession({ ...connection, types })
  try {
    await client.query('set default_transaction_read_only to on')
    const found = await examineDatabase(client)
    const rows = canBeQueried(found) ? await byItself('backlog', () => examineRows(config, client, connection)) : []
    return [...found, ...rows, ...(await byItself('replica', () => examineReplicas(config, connection)))]
  } finally {
    await client.end()
  }
}

/** Whether the tables are there, and where the server expects them. */
function canBeQueried(found: readonly Finding[]): boolean {
  return found.every(({ check, status }) => status !== 'problem' || !['migrations', 'cluster'].includes(check))
}

async function examineRows(config: Config, client: Session, connection: pg.ClientConfig): Promise<Finding[]> {
  const database = connect(connection, 1, await readTopology(client))
  try {
    // Another finding says that the key cannot be read.
    const key = await readKey(config).catch(() => undefined)
    return [
      ...(await onWorkers(database, 'backlog', async () => [judgeBacklog(await measureBacklog(database))])),
      ...(await onWorkers(database, 'secret key', () => checkRotation(database, key, sealedForLong))),
    ]
  } finally {
    await database.close()
  }
}

/** The coordinator has just answered, so a connection that fails is that of a worker. */
async function onWorkers(database: Database, check: string, examine: () => Promise<Finding[]>) {
  return await byItself(check, async () => {
    try {
      return await examine()
    } catch (error) {
      if (!database.isDistributed || !isUnreachable(error)) throw error
      return [warning(check, 'not counted, because a worker does not answer', 'Start the worker.')]
    }
  })
}

async function examineReplicas(
  { replicaUrls, replicaMaxLagMs }: Config,
  connection: pg.ClientConfig,
): Promise<Finding[]> {
  if (replicaUrls.length === 0) return []
  const primary = connect(connection, 1, PLAIN)
  return await checkReplicas(primary, replicaUrls, replicaMaxLagMs).finally(() => primary.close())
}

function reachAdvice(config: Config): string {
  if (config.databaseUrl === undefined) return `Look into ${config.dataDir}/postgres.log, where PostgreSQL says more.`
  return 'Try the address with psql, from this machine.'
}
