import { errors } from '../errors.ts'
import { type Exchange, JSON_TYPE } from '../http/exchange.ts'
import type { Router } from '../http/router.ts'
import { buildDocument } from '../openapi/document.ts'
import { VERSION } from '../version.ts'
import { Assets } from './assets.ts'
import { Site } from './site.ts'

/** The pages load everything from this server, and only scripts and styles that are files of the site. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const common = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }
const pageHeaders = {
  ...common,
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'public, max-age=300',
}

/** The documentation site and the OpenAPI document. Neither needs a key. */
export function addDocs(router: Router, address: string): void {
  const document = once(() => buildDocument(address))
  const text = once(() => JSON.stringify(document()))
  const assets = new Assets(() => JSON.stringify(site().sections()))
  const site = once(() => new Site(document(), (name) => assets.address(name, VERSION)))

  const openapi = (exchange: Exchange) => {
    exchange.setHeaders({ ...common, 'cache-control': pageHeaders['cache-control'] })
    exchange.send(200, JSON_TYPE, text())
  }
  const page = (exchange: Exchange) => {
    const slug = (exchange.params['*'] ?? '').replace(/\/$/, '')
    const html = site().page(slug)
    if (html === undefined) throw errors.unknownUrl(exchange.method, `/docs/${slug.slice(0, 200)}`)
    exchange.setHeaders(pageHeaders)
    exchange.send(200, 'text/html; charset=utf-8', html)
  }
  const asset = (exchange: Exchange) => {
    const name = exchange.params.name ?? ''
    const found = assets.get(name)
    if (!found) throw errors.unknownUrl(exchange.method, `/docs/assets/${name.slice(0, 200)}`)
    exchange.setHeaders({ ...common, 'cache-control': 'public, max-age=31536000, immutable' })
    exchange.send(200, found.type, found.text)
  }
  router.add('GET', '/openapi.json', { answer: openapi })
  router.add('GET', '/docs', { answer: page })
  router.add('GET', '/docs/assets/:name', { answer: asset })
  router.add('GET', '/docs/*', { answer: page })
}

/** Made at the first request, so that the start does not wait for it. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
