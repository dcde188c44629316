import { errors } from '../errors.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Router } from '../http/router.ts'

/**
 * Pages of every origin may read the answers: a preflight has no token, so the environment is not known yet. Which origins may
 * do something is decided with the token. No cookie counts here, so none is allowed.
 */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'request-id, retry-after',
  'cache-control': 'no-store',
} as const

const preflightHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'authorization, content-type, usher-visitor',
  // As long as browsers remember it: two hours in Chromium.
  'access-control-max-age': '7200',
} as const

/** Preflights, and unknown paths, which need no token here. */
export function addPreflights(router: Router): void {
  const preflight = (exchange: Exchange) => exchange.reply({ status: 204, headers: preflightHeaders, body: '' })
  router.add('OPTIONS', '/sdk/*', { answer: preflight })
  const unknown = (exchange: Exchange) => {
    exchange.setHeaders(corsHeaders)
    throw errors.unknownUrl(exchange.method, exchange.url.slice(0, 200))
  }
  for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const)
    router.add(method, '/sdk/*', { answer: unknown })
}
