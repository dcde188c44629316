import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Config } from '../config.ts'
import type { Timeouts } from './timeouts.ts'

/** Node's HTTP server, with our time limits; what is wrong with a request is the app's to say. */
export function createHttpServer({ tls }: Pick<Config, 'tls'>, timeouts: Timeouts, listener: RequestListener): Server {
  const options = {
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    connectionsCheckingInterval: timeouts.checkMs,
    // Node would answer a request without Host by itself, and not with our envelope.
    requireHostHeader: false,
  }
  const server = tls
    ? createTlsServer({ cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile), ...options }, listener)
    : createServer(options, listener)
  // Node answers an expectation that it does not know with 417; here it is ignored.
  server.on('checkExpectation', listener)
  return server
}
