import { readFileSync } from 'node:fs'
import type { FastifyServerOptions } from 'fastify'
import type { Config } from '../config.ts'
import { parseQueryString } from './query-string.ts'
import { newRequestId } from './request-id.ts'
import type { Timeouts } from './timeouts.ts'

/** How Fastify and the HTTP server below it are set up; what is wrong with a request is the app's to say. */
export function serverOptions({ tls }: Config, timeouts: Timeouts): FastifyServerOptions {
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
    // Its own logger makes a child for every request, 3 µs each; ours writes the request's id with the lines that there are.
    logger: false,
    genReqId: newRequestId,
    requestIdHeader: false,
    exposeHeadRoutes: true,
    // An id may have 255 characters of four bytes, each written as %XX.
    routerOptions: { querystringParser: parseQueryString, maxParamLength: 255 * 4 * 3 },
  } as FastifyServerOptions
}
