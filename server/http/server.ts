import { readFileSync } from 'node:fs'
import type { RequestListener, Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Duplex } from 'node:stream'
import type { Config } from '../settings/config.ts'
import { handOverPlainConnections } from './plain-connections.ts'
import type { Timeouts } from './timeouts.ts'

// An import would read every export of the module, and one of them loads Node's `fetch`: 40 ms of a start.
const { createServer } = process.getBuiltinModule('node:http')

export interface Listeners {
  onRequest: RequestListener
  /** For requests whose client waits for `100 Continue`. */
  onExpectContinue: RequestListener
  /** For bytes that are not a request. */
  onBroken(error: Error, socket: Duplex): void
}

/** Node's HTTP server with our time limits. The application answers malformed requests. */
export function createHttpServer({ tls }: Pick<Config, 'tls'>, timeouts: Timeouts, listeners: Listeners): Server {
  const options = {
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    connectionsCheckingInterval: timeouts.checkMs,
    // Node would answer a request without Host itself, without our envelope.
    requireHostHeader: false,
  }
  const plain = listenTo(createServer(options), listeners)
  if (!tls) return plain
  const certificate = { cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) }
  const server = createTlsServer({ ...certificate, ...options, handshakeTimeout: timeouts.headersMs })
  handOverPlainConnections(server, plain, timeouts)
  return listenTo(server, listeners)
}

function listenTo<T extends Server>(server: T, { onRequest, onExpectContinue, onBroken }: Listeners): T {
  server.on('request', onRequest)
  // Node answers an expectation that it does not know with 417; here it is ignored.
  server.on('checkExpectation', onRequest)
  // Node would request every body, also when the headers already lead to a refusal.
  server.on('checkContinue', onExpectContinue)
  server.on('clientError', onBroken)
  server.on('connect', (_request, socket) => onBroken(new Error('CONNECT'), socket))
  return server
}
