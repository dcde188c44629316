import { statfs } from 'node:fs/promises'
import type { System } from '../../../contract/dashboard/system.ts'
import { listEnvironmentsOf } from '../../accounts/environment-queries.ts'
import { hasSeveralAccounts } from '../../accounts/queries.ts'
import type { Database, EnvironmentId } from '../../database/database.ts'
import { judgeBacklog, judgeEndpoints } from '../../doctor/backlog.ts'
import { checkDataFolder } from '../../doctor/data-folder.ts'
import { examineDatabase } from '../../doctor/database.ts'
import type { Finding } from '../../doctor/finding.ts'
import { judgePause } from '../../doctor/pause.ts'
import { checkRuntime } from '../../doctor/runtime.ts'
import { thisNode } from '../../housekeeping/presence.ts'
import type { Config } from '../../settings/config.ts'
import { VERSION } from '../../version.ts'
import { type Backlog, measureBacklog } from '../../webhooks/backlog.ts'
import { findPause } from '../../webhooks/pause.ts'
import type { DashboardHandlers } from '../call.ts'
import type { DashboardParts } from '../parts.ts'
import { countFailingEndpoints, listNodes, readDatabaseFigures } from './queries.ts'

const SEEN_SECONDS = 60
const levels = { ok: 'good', warning: 'warning', problem: 'bad' } as const

/** The installation: versions, disk, backlog, processes, and the findings of doctor. */
export function systemHandlers({ services, config }: DashboardParts): Pick<DashboardHandlers, 'getSystem'> {
  const { database } = services
  return {
    getSystem: async ({ grant }) => {
      const environments = (await listEnvironmentsOf(database, grant.accountId)).map(({ id }) => id)
      if (await hasSeveralAccounts(database)) return await shownToAll(config, database, environments)
      const [figures, nodes, findings, disk, backlog, failing] = await Promise.all([
        readDatabaseFigures(database),
        listNodes(database, SEEN_SECONDS),
        findingsOf(config, services),
        diskOf(config),
        measureBacklog(database),
        countFailingEndpoints(database, environments),
      ])
      return {
        version: VERSION,
        node_version: process.versions.node,
        platform: `${process.platform} ${process.arch}`,
        database: { ...figures, is_embedded: config.databaseUrl === undefined },
        disk,
        backlog: { waiting: backlog.waiting, is_more: backlog.isMore, oldest_at: oldestAt(backlog) },
        nodes: nodes.map((node) => ({ ...node, is_this: node.name === thisNode })),
        findings: shownFindings([...findings, judgeBacklog(backlog), judgeEndpoints(failing)]),
      }
    },
  }
}

async function findingsOf(config: Config, { database }: DashboardParts['services']): Promise<Finding[]> {
  const folder = config.databaseUrl === undefined ? (await checkDataFolder(config.dataDir)).findings : []
  // Of the pool, so that many calls at once do not use up the connections of PostgreSQL.
  const client = await database.pool.connect()
  try {
    return [await checkRuntime(), ...folder, ...(await examineDatabase(client))]
  } finally {
    client.release()
  }
}

const shownFindings = (findings: readonly Finding[]): System['findings'] =>
  findings.map(({ check, status, finding, advice = null }) => ({
    level: levels[status],
    check,
    what: finding,
    advice,
  }))

/**
 * With several accounts the paths, the machines and what waits are the operator's business: `usher doctor` tells them.
 * What remains is whether the webhooks of this account are sent, and whether they arrive.
 */
async function shownToAll(config: Config, database: Database, environments: readonly EnvironmentId[]): Promise<System> {
  const [{ version }, pause, failing] = await Promise.all([
    readDatabaseFigures(database),
    findPause(database),
    countFailingEndpoints(database, environments),
  ])
  return {
    version: VERSION,
    node_version: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    database: { version, bytes: null, is_embedded: config.databaseUrl === undefined },
    disk: null,
    backlog: null,
    nodes: [],
    findings: shownFindings([judgePause(pause), judgeEndpoints(failing)]),
  }
}

async function diskOf({ databaseUrl, dataDir }: Config): Promise<System['disk']> {
  if (databaseUrl !== undefined) return null
  const disk = await statfs(dataDir).catch(() => undefined)
  return disk ? { free_bytes: disk.bavail * disk.bsize, total_bytes: disk.blocks * disk.bsize } : null
}

function oldestAt({ waiting, oldestMs }: Backlog): string | null {
  return waiting > 0 ? new Date(Date.now() - oldestMs).toISOString() : null
}
