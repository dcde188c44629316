import type { Config } from '../../config.ts'
import { isUnreachable } from '../../database/errors.ts'
import { borrowPostgres, connect, type PostgresServer } from '../../database/open.ts'
import { openSession, type Session } from '../../database/session.ts'
import { PLAIN, readTopology } from '../../database/topology.ts'
import { judgeBacklog } from '../../doctor/backlog.ts'
import { examineDatabase } from '../../doctor/database.ts'
import { type Finding, problem, warning } from '../../doctor/finding.ts'
import { checkReplicas } from '../../doctor/replicas.ts'
import { measureBacklog } from '../../webhooks/backlog.ts'
import { interruption } from '../interruption.ts'
import { commandLog } from '../log.ts'

/** Whether PostgreSQL answers, and holds what this code expects. */
export async function checkDatabase(config: Config): Promise<Finding[]> {
  let postgres: PostgresServer
  try {
    postgres = await borrowPostgres(config, commandLog, { signal: interruption.signal })
  } catch (error) {
    return [problem('database', (error as Error).message, reachAdvice(config))]
  }
  try {
    const client = await openSession(postgres.connection)
    try {
      const found = await examineDatabase(client)
      const backlog = canBeQueried(found) ? [await examineBacklog(client, postgres)] : []
      return [...found, ...backlog, ...(await examineReplicas(config, postgres))]
    } finally {
      await client.end()
    }
  } catch (error) {
    return [problem('database', (error as Error).message, reachAdvice(config))]
  } finally {
    await postgres.stop()
  }
}

/** Whether the tables are there, and where the server expects them. */
function canBeQueried(found: readonly Finding[]): boolean {
  return found.every(({ check, status }) => status !== 'problem' || !['migrations', 'cluster'].includes(check))
}

async function examineBacklog(client: Session, { connection }: PostgresServer): Promise<Finding> {
  const database = connect(connection, 1, await readTopology(client))
  try {
    return judgeBacklog(await measureBacklog(database))
  } catch (error) {
    // The coordinator has just answered.
    if (!database.isDistributed || !isUnreachable(error)) throw error
    return warning('backlog', 'not counted, because a worker does not answer', 'Start the worker.')
  } finally {
    await database.close()
  }
}

async function examineReplicas(
  { replicaUrls, replicaMaxLagMs }: Config,
  { connection }: PostgresServer,
): Promise<Finding[]> {
  if (replicaUrls.length === 0) return []
  const primary = connect(connection, 1, PLAIN)
  return await checkReplicas(primary, replicaUrls, replicaMaxLagMs).finally(() => primary.close())
}

function reachAdvice(config: Config): string {
  if (config.databaseUrl === undefined) return `Look into ${config.dataDir}/postgres.log, where PostgreSQL says more.`
  return 'Try the address with psql, from this machine.'
}
