import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { errors } from '../errors.ts'
import type { Exchange } from '../http/exchange.ts'
import { fileServer, IMMUTABLE } from '../http/files.ts'
import { once } from '../http/once.ts'
import { type Endpoint, pathOf, type Router } from '../http/router.ts'
import { pageHeaders } from './headers.ts'

const BUILT = fileURLToPath(new URL('../../dashboard/dist/', import.meta.url))
const PREFIX = '/app'
const ASSETS = '/assets/'

/** The pages of the dashboard. Every path below /app/ that is not a file is a page, rendered in the browser. */
export function addPages(router: Router, folder = BUILT): void {
  const headers = (path: string) => ({
    ...pageHeaders,
    // Files with a hash in their names never change. All others are revalidated.
    'cache-control': path.startsWith(ASSETS) ? IMMUTABLE : 'no-cache',
  })
  const serve = once(() => fileServer(folder, { prefix: PREFIX, headers }))
  const answer = (exchange: Exchange) => {
    if (pathOf(exchange.url) === PREFIX) return redirect(exchange)
    if (!existsSync(`${folder}/index.html`)) return notBuilt(exchange)
    // A path that is not a file is a page: an id may look like a file name.
    serve()(exchange, (path, look) => {
      if (path.startsWith(ASSETS)) notFound(exchange)
      else look('/', () => notFound(exchange))
    })
  }
  router.add('GET', PREFIX, { answer })
  router.add('GET', `${PREFIX}/*`, { answer })
}

/** A browser that requests `/` is redirected to the dashboard. Other clients get a 404. */
export function addRoot(router: Router, guard: NonNullable<Endpoint['guard']>): void {
  const answer = async (exchange: Exchange) => {
    if (exchange.request.headers.accept?.includes('text/html')) return redirect(exchange)
    await guard(exchange)
    throw errors.unknownUrl(exchange.method, '/')
  }
  router.add('GET', '/', { answer, guard })
}

function redirect(exchange: Exchange): void {
  exchange.setHeaders({ ...pageHeaders, location: `${PREFIX}/`, 'cache-control': 'no-cache' })
  exchange.send(302, 'text/plain; charset=utf-8', `The dashboard is at ${PREFIX}/.\n`)
}

function notFound(exchange: Exchange): void {
  exchange.setHeaders(pageHeaders)
  exchange.send(404, 'text/plain; charset=utf-8', 'There is no such file.\n')
}

function notBuilt(exchange: Exchange): void {
  exchange.setHeaders({ ...pageHeaders, 'cache-control': 'no-store' })
  exchange.send(503, 'text/plain; charset=utf-8', 'The dashboard is not built yet. Run: npm ci\n')
}
