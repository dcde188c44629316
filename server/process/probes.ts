import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { errors } from '../errors.ts'
import type { Compression } from '../http/compression.ts'
import { type Exchange, JSON_TYPE } from '../http/exchange.ts'
import type { Router } from '../http/router.ts'
import type { Transport } from '../http/transport.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Config } from '../settings/config.ts'
import type { ReadinessCheck } from './readiness.ts'

/**
 * Health checks and metrics. They have no limits: under overload these answers matter most, and they cost little. The
 * first two contain no secrets and need no key, so a load balancer may request them over plain HTTP.
 */
export function addProbes(
  router: Router,
  { metricsToken }: Pick<Config, 'metricsToken'>,
  transport: Transport,
  readiness: ReadinessCheck,
  metrics: Metrics,
  compression: Compression,
): void {
  const healthz = (exchange: Exchange) => exchange.send(200, JSON_TYPE, '{"status":"ok"}')
  const readyz = async (exchange: Exchange) => {
    const { ready, status, checks } = await readiness.check()
    if (!ready) exchange.setHeaders({ 'retry-after': '2' })
    exchange.send(ready ? 200 : 503, JSON_TYPE, JSON.stringify({ status, checks }))
  }
  const scrape = async (exchange: Exchange) => {
    if (!transport.isFromThisMachine(exchange) && !hasToken(exchange.request, metricsToken))
      throw errors.metricsClosed()
    const { contentType, text } = await metrics.scrape()
    exchange.send(200, contentType, text, await compression.pack(exchange.request, text))
  }
  router.add('GET', '/healthz', { isOpen: true, answer: healthz })
  router.add('GET', '/readyz', { isOpen: true, answer: readyz })
  router.add('GET', '/metrics', { answer: scrape })
}

function hasToken({ headers }: IncomingMessage, token: string | undefined): boolean {
  const given = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]
  if (token === undefined || given === undefined) return false
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer'))
}
