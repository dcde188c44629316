import cluster from 'node:cluster'
import { readFile } from 'node:fs/promises'
import type { Server as TlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import type { Logger } from 'pino'
import { DatabaseClock } from '../database/clock.ts'
import { connect } from '../database/open.ts'
import { confirmTopology, type Topology } from '../database/topology.ts'
import { IdempotencySweeper } from '../idempotency/sweeper.ts'
import { shareFigures } from '../metrics/workers.ts'
import { registerReplicas } from '../replicas/metrics.ts'
import { openReplicas } from '../replicas/open.ts'
import { readKey } from '../secrets/key-file.ts'
import { SecretBox } from '../secrets/secret-box.ts'
import { SharedSecrets } from '../secrets/shared-secrets.ts'
import { createServices } from '../services.ts'
import type { Config } from '../settings/config.ts'
import { indexWalks } from '../webhooks/delivery/planner.ts'
import { Webhooks } from '../webhooks/webhooks.ts'
import { type App, createApp } from './app.ts'
import { startBackground, stopBackground } from './background.ts'
import { listen } from './listen.ts'

/** How long active requests may take after a stop signal. */
const FINISH_MS = 15_000

const DELIVERY_CONNECTIONS = 4
/** From this many active requests in a busy process on, deliveries slow down. */
const PRESSING_REQUESTS = 16

/** A server process: requests and deliveries. */
export interface ServerNode {
  port: number
  /** Finishes requests and deliveries under way, releases leases and budgets, and closes the database. */
  stop(): Promise<void>
  /** Reads the certificate and its key again, for new connections. */
  reloadCertificate(): Promise<void>
  /** Ends the process at once. */
  endNow(): void
}

export async function runNode(
  config: Config,
  log: Logger,
  connection: ClientConfig,
  topology: Topology,
): Promise<ServerNode> {
  // No node of an earlier version uses an embedded database at the same time.
  const secrets = new SharedSecrets(
    new SecretBox(await readKey(config), config.otherSecretKey),
    config.databaseUrl === undefined,
  )
  const parts = createParts(config, log, connection, topology, secrets)
  const { app, services, webhooks, replicas, sweeper } = parts
  const stop = () => stopParts(config, parts)
  try {
    await Promise.all([services.keyring.start(), webhooks.start(), startBackground(services), replicas?.start()])
    await confirmTopology(connection, topology)
    await listen(app, config)
    sweeper.start()
  } catch (error) {
    await stop()
    throw error
  }
  return {
    port: (app.server.address() as AddressInfo).port,
    stop,
    reloadCertificate: () => reloadCertificate(config, app, log),
    endNow: () => process.exit(1),
  }
}

type NodeParts = ReturnType<typeof createParts>

function createParts(
  config: Config,
  log: Logger,
  connection: ClientConfig,
  topology: Topology,
  secrets: SharedSecrets,
) {
  const database = connect(connection, config.databaseConnections, topology)
  // A separate pool, so that deliveries and requests do not wait for each other.
  const deliveries = connect(connection, DELIVERY_CONNECTIONS, topology, indexWalks)
  const clock = new DatabaseClock()
  const webhooks = new Webhooks(config, deliveries, log, { databaseClock: clock, secrets })
  const replicas = openReplicas(config, database, log)
  const services = createServices(database, log, {
    webhooks,
    now: clock.now,
    maxActiveRequests: config.maxActiveRequests,
    listReader: replicas,
    hasWorkersBeside: cluster.isWorker,
  })
  if (replicas) services.metrics.addTo((registry) => registerReplicas(registry, replicas))
  services.metrics.watchWebhooks({ delivery: () => webhooks.delivery.stats(), backlog: () => webhooks.backlog() })
  if (cluster.isWorker) shareFigures(services.metrics)
  webhooks.requestsWaited = () => services.concurrency.takePeak() >= PRESSING_REQUESTS
  const sweeper = new IdempotencySweeper(database, log)
  return { app: createApp(config, services, log), database, deliveries, replicas, services, sweeper, webhooks }
}

/** In this order: what serves requests stops first, and the database is closed last. */
async function stopParts(config: Config, parts: NodeParts): Promise<void> {
  const { app, database, deliveries, replicas, services, sweeper, webhooks } = parts
  app.announceStop()
  if (app.server.listening) await sleep(config.shutdownDelayMs)
  const tooLong = setTimeout(() => app.server.closeAllConnections(), FINISH_MS)
  await Promise.all([app.close(), webhooks.stop()])
  clearTimeout(tooLong)
  services.keyring.stop()
  await stopBackground(services)
  await Promise.all([services.rateLimiter.stop(), sweeper.stop()])
  await Promise.all([database.close(), deliveries.close(), replicas?.stop()])
}

async function reloadCertificate({ tls }: Config, { server }: App, log: Logger): Promise<void> {
  if (!tls) return
  const [cert, key] = await Promise.all([readFile(tls.certFile), readFile(tls.keyFile)])
  ;(server as unknown as TlsServer).setSecureContext({ cert, key })
  log.info({}, 'the certificate was read again')
}
