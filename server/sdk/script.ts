import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Exchange } from '../http/exchange.ts'
import { fileServer, IMMUTABLE } from '../http/files.ts'
import { once } from '../http/once.ts'
import { pathOf, type Router } from '../http/router.ts'
import type { Transport } from '../http/transport.ts'
import { refuseUnknown } from './cors.ts'

const BUILT = fileURLToPath(new URL('../../sdk/dist/', import.meta.url))
const PREFIX = '/sdk'
/** Files with a hash in their names, and their source maps. */
const HASHED = /^\/[a-z-]+-[\w-]{8}\.js/

/** Of every file: pages of any origin may load it. */
const common = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'timing-allow-origin': '*',
}

/** The loader has no hash in its address. Browsers ask for it again after five minutes, and show the one they have meanwhile. */
const LOADER = 'public, max-age=300, stale-while-revalidate=86400'

/**
 * The page of the preview: scripts of ours, pictures and videos of the content, in a frame of the dashboard and nowhere else.
 * For Safari a frame without an origin has no `'self'`, so this server is named as well.
 */
const previewPolicy = (origin: string) =>
  `default-src 'none'; script-src 'self' ${origin}; img-src https:; frame-src https:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts`

/** The files of the browser script, beside the calls under the same prefix. They need no token. */
export function addScript(router: Router, transport: Pick<Transport, 'origin'>, folder = BUILT): void {
  const isBuilt = () => existsSync(`${folder}/usher.js`)
  const serve = filesBehind(PREFIX, folder)
  const answer = (exchange: Exchange) => {
    if (!isBuilt()) return refuseUnbuilt(exchange)
    if (isPreview(fileOf(exchange, PREFIX)))
      exchange.setHeaders({ 'content-security-policy': previewPolicy(transport.origin(exchange)) })
    serve(exchange)
  }
  router.add('GET', `${PREFIX}/:file`, { answer })
  // The loader asks here for what it could not load before (sdk/src/loader.ts).
  const prefix = `${PREFIX}/2`
  const serveAgain = filesBehind(prefix, folder)
  router.add('GET', `${PREFIX}/:attempt(^\\d$)/:file`, {
    answer: (exchange) => {
      if (!isBuilt()) return refuseUnbuilt(exchange)
      if (HASHED.test(fileOf(exchange, prefix))) serveAgain(exchange)
      else refuseUnknown(exchange)
    },
  })
}

const fileOf = ({ request }: Exchange, prefix: string) => pathOf(request.url as string).slice(prefix.length)

function filesBehind(prefix: string, folder: string): (exchange: Exchange) => void {
  const serve = once(() => fileServer(folder, { prefix, headers, hasBrotli: true }))
  return (exchange) => {
    let isMissing = false
    serve()(exchange, () => {
      isMissing = true
    })
    if (isMissing) refuseUnknown(exchange)
  }
}

const isPreview = (path: string) => path.startsWith('/preview')

function headers(path: string): Readonly<Record<string, string>> {
  if (isPreview(path)) return { ...common, 'cache-control': 'no-cache' }
  return { ...common, 'cache-control': HASHED.test(path) ? IMMUTABLE : LOADER }
}

function refuseUnbuilt(exchange: Exchange): void {
  exchange.setHeaders({ ...common, 'cache-control': 'no-store' })
  exchange.send(503, 'text/plain; charset=utf-8', 'The browser script is not built yet. Run: npm ci\n')
}
