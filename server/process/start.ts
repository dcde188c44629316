import type { ClientConfig } from 'pg'
import type { Logger } from 'pino'
import { createFirstAccount } from '../accounts/bootstrap.ts'
import { migrate } from '../database/migrate.ts'
import { connect, type PostgresServer } from '../database/open.ts'
import { findTopology } from '../database/topology.ts'
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
    const { key, setUpPath, hasOwner } = await prepare(config, log, postgres.connection, starting.signal)
    const node = await run(config, log, postgres.connection, starting.signal).catch((error) => {
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
  const { from, to } = await migrate(connection)
  signal?.throwIfAborted()
  if (from !== to) log.info({ from, to }, 'the database schema is up to date')
  await checkReplicas(config, connection, log)
  return await firstSteps(config, log, connection)
}

/** With several workers the first process serves nothing, and does not load what serves. */
async function run(config: Config, log: Logger, connection: ClientConfig, starting: AbortSignal): Promise<ServerNode> {
  if (config.workers > 1) return await (await import('./workers.ts')).runWorkers(config, log, connection, starting)
  return await (await import('./node.ts')).runNode(config, log, connection)
}

async function firstSteps(config: Config, log: Logger, connection: ClientConfig): Promise<FirstSteps> {
  const { firstApiKey } = config
  const database = connect(connection, 1, await findTopology(connection))
  try {
    const { keyId } = await openSecretBox(config, database)
    if (keyId === undefined)
      log.info(
        {},
        'secrets of webhooks are stored as they are: set USHER_SECRET_KEY, the same on every node, to seal them',
      )
    const key = await createFirstAccount(database, firstApiKey)
    const setUp = await createFirstSetUpLink(database)
    return { key: firstApiKey === undefined ? key : undefined, setUpPath: setUp.path, hasOwner: setUp.hasOwner }
  } finally {
    await database.close()
  }
}
