import { errors } from '../errors.ts'
import type { Compression } from '../http/compression.ts'
import { type Exchange, JSON_TYPE } from '../http/exchange.ts'
import { IMMUTABLE } from '../http/files.ts'
import type { ReplyHeaders } from '../http/reply.ts'
import { queryOf, type Router } from '../http/router.ts'
import type { DocsContent } from './content.ts'

/** The pages load everything from this server, and only scripts and styles that are files of the site. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const common = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }
const pageHeaders = {
  ...common,
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'public, max-age=300',
}

/** The documentation site and the OpenAPI document. Neither needs a key. */
export function addDocs(router: Router, address: string, compression: Compression): void {
  // Loaded by the first request, so that the start does not wait for it.
  let loaded: Promise<DocsContent> | undefined
  const content = () => (loaded ??= import('./content.ts').then(({ createContent }) => createContent(address)))

  const send = async (exchange: Exchange, type: string, text: string, headers: ReplyHeaders) => {
    exchange.setHeaders({ ...headers, vary: 'accept-encoding' })
    exchange.send(200, type, text, await compression.pack(exchange.request, text))
  }
  const openapi = async (exchange: Exchange) => {
    const text = (await content()).openapi()
    await send(exchange, JSON_TYPE, text, { ...common, 'cache-control': pageHeaders['cache-control'] })
  }
  const page = async (exchange: Exchange) => {
    const slug = (exchange.params['*'] ?? '').replace(/\/$/, '')
    const html = (await content()).page(slug)
    if (html === undefined) throw errors.unknownUrl(exchange.method, `/docs/${slug.slice(0, 200)}`)
    await send(exchange, 'text/html; charset=utf-8', html, pageHeaders)
  }
  const asset = async (exchange: Exchange) => {
    const name = exchange.params.name ?? ''
    const { assets } = await content()
    const found = assets.get(name)
    if (!found) throw errors.unknownUrl(exchange.method, `/docs/assets/${name.slice(0, 200)}`)
    // Pages of failures have addresses without a hash.
    const isMarked = queryOf(exchange.url) === assets.mark(name)
    const headers = { ...common, 'cache-control': isMarked ? IMMUTABLE : pageHeaders['cache-control'] }
    await send(exchange, found.type, found.text, headers)
  }
  router.add('GET', '/openapi.json', { answer: openapi })
  router.add('GET', '/docs', { answer: page })
  router.add('GET', '/docs/assets/:name', { answer: asset })
  router.add('GET', '/docs/*', { answer: page })
}
