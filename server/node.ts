import { readFile } from 'node:fs/promises'
import type { Server as TlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { ClientConfig } from 'pg'
import type { Logger } from 'pino'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { connect } from './database/open.ts'
import { listen } from './listen.ts'
import { createServices } from './services.ts'

/** How long requests that are under way when the server is told to stop may still take. */
const FINISH_MS = 15_000

/** A process that serves: requests, and the deliveries that come of them. */
export interface ServerNode {
  port: number
  /** Finishes what is under way, gives back what it holds, and leaves the database. */
  stop(): Promise<void>
  /** Reads the certificate and its key again, for connections from now on. */
  reloadCertificate(): Promise<void>
}

export async function runNode(config: Config, log: Logger, connection: ClientConfig): Promise<ServerNode> {
  const database = connect(connection, config.databaseConnections)
  const services = createServices(database, log, { maxActiveRequests: config.maxActiveRequests })
  const app = createApp(config, services, log)
  const stop = async () => {
    const tooLong = setTimeout(() => app.server.closeAllConnections(), FINISH_MS)
    await app.close()
    clearTimeout(tooLong)
    services.keyring.stop()
    await services.rateLimiter.stop()
    await database.close()
  }
  const reloadCertificate = async () => {
    if (!config.tls) return
    const [cert, key] = await Promise.all([readFile(config.tls.certFile), readFile(config.tls.keyFile)])
    ;(app.server as unknown as TlsServer).setSecureContext({ cert, key })
    log.info({}, 'the certificate was read again')
  }
  try {
    await services.keyring.start()
    await listen(app, config)
  } catch (error) {
    await stop()
    throw error
  }
  return { port: (app.server.address() as AddressInfo).port, stop, reloadCertificate }
}
