import { readFileSync } from 'node:fs'
import type { FastifyServerOptions } from 'fastify'
import { LogController } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { parseQueryString } from './query-string.ts'
import { newRequestId } from './request-id.ts'
import type { Timeouts } from './timeouts.ts'

/** How Fastify and the HTTP server below it are set up; what is wrong with a request is the app's to say. */
export function serverOptions({ tls }: Config, logger: Logger, timeouts: Timeouts): FastifyServerOptions {
  const server = {
    headersTimeout: timeouts.headersMs,
    connectionsCheckingInterval: timeouts.checkMs,
    // Node would answer a request without Host by itself, and not with our envelope.
    requireHostHeader: false,
  }
  return {
    ...(tls
      ? { https: { cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile), ...server } }
      : { http: server }),
    connectionTimeout: timeouts.silenceMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    requestTimeout: timeouts.requestMs,
    // While the server stops, requests get our own answer.
    return503OnClosing: false,
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newRequestId,
    requestIdHeader: false,
    exposeHeadRoutes: true,
    // An id may have 255 characters of four bytes, each written as %XX.
    routerOptions: { querystringParser: parseQueryString, maxParamLength: 255 * 4 * 3 },
  } as FastifyServerOptions
}
