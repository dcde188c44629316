import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Config } from '../config.ts'
import type { Timeouts } from './timeouts.ts'

export interface Listeners {
  listener: RequestListener
  /** For requests whose client waits for `100 Continue`. */
  onExpectContinue: RequestListener
}

/** Node's HTTP server, with our time limits; what is wrong with a request is the app's to say. */
export function createHttpServer(
  { tls }: Pick<Config, 'tls'>,
  timeouts: Timeouts,
  { listener, onExpectContinue }: Listeners,
): Server {
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
  // Node would ask for every body, also where the headers decide that it is not wanted.
  server.on('checkContinue', onExpectContinue)
  return server
}
