import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { errors } from '../errors.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { ReadinessCheck } from '../readiness.ts'
import type { Transport } from './transport.ts'

/** They tell no secrets and take no key, so a load balancer may ask them over plain HTTP. */
const OPEN_PATHS = new Set(['/healthz', '/readyz'])

export function isOpenProbe(request: FastifyRequest): boolean {
  return OPEN_PATHS.has(request.url)
}

/**
 * What operators and their machines ask. None of it is limited: under overload these answers matter most, and they cost
 * next to nothing.
 */
export function registerProbes(
  app: FastifyInstance,
  { metricsToken }: Pick<Config, 'metricsToken'>,
  transport: Transport,
  readiness: ReadinessCheck,
  metrics: Metrics,
): void {
  app.addHook('preClose', (done) => {
    readiness.stop()
    done()
  })
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const { ready, checks } = await readiness.check()
    if (!ready) reply.code(503).header('retry-after', '2')
    return { status: ready ? 'ok' : 'unavailable', checks }
  })
  app.get('/metrics', async (request, reply) => {
    const isOwn = transport.isLoopback(request) && !wasForwarded(request)
    if (!isOwn && !hasToken(request, metricsToken)) throw errors.metricsClosed()
    const { contentType, text } = await metrics.scrape()
    reply.header('content-type', contentType)
    return text
  })
}

const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/** A proxy on this machine speaks for strangers, although it connects from loopback. */
function wasForwarded({ headers }: FastifyRequest): boolean {
  return FORWARDING.some((name) => headers[name] !== undefined)
}

function hasToken({ headers }: FastifyRequest, token: string | undefined): boolean {
  const given = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]
  if (token === undefined || given === undefined) return false
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer'))
}
