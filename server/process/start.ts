import type { ClientConfig } from 'pg'
import type { Logger } from 'pino'
import { createFirstAccount } from '../accounts/bootstrap.ts'
import { connect, type PostgresServer } from '../database/open.ts'
import { readyTables } from '../database/ready-tables.ts'
import type { Topology } from '../database/topology.ts'
import { createFirstSetUpLink } from '../members/set-up.ts'
import { checkReplicas } from '../replicas/check.ts'
import { openSecretBox } from '../secrets/open-box.ts'
import type { Config } from '../settings/config.ts'
import { ownAddress } from '../settings/own-address.ts'
import { announce, announceKey, announceNoOwner, announceSetUp } from './announce.ts'
import type { ServerNode } from './node.ts'
import { forgetAddress, recordAddress } from './running-server.ts'
import { onSignals, type Starting } from './signals.ts'

/** Runs the server until a stop signal. */
export async function start(config: Config, log: Logger, postgres: PostgresServer, starting: Starting): Promise<void> {
  try {
    const first = await prepare(config, log, postgres.connection, starting.signal)
    const { key, setUpPath, hasOwner } = first
    const node = await run(config, log, postgres.connection, first.topology, starting.signal).catch((error) => {
      if (key !== undefined) announceKey(config, key)
      throw error
    })
    const stop = async () => {
      forgetAddress(config)
      await node.stop()
      await postgres.stop()
    }
    if (starting.signal.aborted) await node.stop()
    starting.signal.throwIfAborted()
    // Before the announcement: a caller may stop the server as soon as it is ready.
    onSignals(starting, log, config, { stop, reloadCertificate: node.reloadCertificate, endNow: node.endNow })
    recordAddress(config, ownAddress(config, node.port))
    announce(config, node.port, key)
    if (setUpPath !== undefined) announceSetUp(config, node.port, setUpPath)
    else if (!hasOwner) announceNoOwner()
  } catch (error) {
    await postgres.stop()
    throw error
  }
}

interface FirstSteps {
  topology: Topology
  /** The first API key, when this start has created it. */
  key: string | undefined
  /** At the first start. It is not repeated at later ones, whose logs are kept as well. */
  setUpPath: string | undefined
  hasOwner: boolean
}

/** Brings the schema up to date, and creates what the first start needs. */
export async function prepare(
  config: Config,
  log: Logger,
  connection: ClientConfig,
  signal?: AbortSignal,
): Promise<FirstSteps> {
  const { versions, topology } = await readyTables(connection)
  const { from, to } = versions
  signal?.throwIfAborted()
  if (from !== to) log.info({ from, to }, 'the database schema is up to date')
  await checkReplicas(config, connection, topology, log)
  return await firstSteps(config, log, connection, topology)
}

/** With several workers the first process serves nothing, and does not load what serves. */
async function run(
  config: Config,
  log: Logger,
  connection: ClientConfig,
  topology: Topology,
  starting: AbortSignal,
): Promise<ServerNode> {
  if (config.workers > 1) return await (await import('./workers.ts')).runWorkers(config, log, connection, starting)
  return await (await import('./node.ts')).runNode(config, log, connection, topology)
}

async function firstSteps(
  config: Config,
  log: Logger,
  connection: ClientConfig,
  topology: Topology,
): Promise<FirstSteps> {
  const { firstApiKey } = config
  const database = connect(connection, 1, topology)
  try {
    const { keyId } = await openSecretBox(config, database)
    if (keyId === undefined)
      log.info(
        {},
        'secrets of webhooks are stored as they are: set USHER_SECRET_KEY, the same on every node, to seal them',
      )
    const key = await createFirstAccount(database, firstApiKey)
    const setUp = await createFirstSetUpLink(database)
    const own = firstApiKey === undefined ? key : undefined
    return { topology, key: own, setUpPath: setUp.path, hasOwner: setUp.hasOwner }
  } finally {
    await database.close()
  }
}
