import { editOperations, pageOperations, streamOperations, visitorOperations } from '../../contract/sdk/operations.ts'
import { errors } from '../errors.ts'
import type { Exchange } from '../http/exchange.ts'
import { pathOf, type Router } from '../http/router.ts'

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
  for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const)
    router.add(method, '/sdk/*', { answer: refuseUnknown })
}

const calls = [pageOperations, editOperations, streamOperations, visitorOperations].flatMap((table) =>
  Object.values(table),
)

/** There is nothing here by this method. */
export function refuseUnknown(exchange: Exchange): never {
  exchange.setHeaders(corsHeaders)
  const path = pathOf(exchange.url)
  const methods = calls.flatMap((call) => (call.path === path.replace(/\/$/, '') ? [call.method] : []))
  if (methods.length > 0) throw errors.methodNotAllowed(exchange.method, [...methods, 'OPTIONS'].sort().join(', '))
  throw errors.unknownUrl(exchange.method, path.slice(0, 200))
}
