import { createHash } from 'node:crypto'
import { type Exchange, JSON_TYPE } from '../http/exchange.ts'
import type { Router } from '../http/router.ts'
import { buildDocument } from '../openapi/document.ts'
import { renderPage } from './page.ts'
import { style } from './style.ts'

// The page needs nothing but its own stylesheet: no script, no image, no frame, no form, nothing from elsewhere.
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const pageHeaders = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'public, max-age=300',
}

/** The API's description, for machines and for people. Neither needs a key. */
export function addDocs(router: Router, address: string): void {
  const document = once(() => buildDocument(address))
  const text = once(() => JSON.stringify(document()))
  const page = once(() => renderPage(document(), address))
  const openapi = (exchange: Exchange) => {
    exchange.setHeaders({ 'x-content-type-options': 'nosniff', 'cache-control': pageHeaders['cache-control'] })
    exchange.send(200, JSON_TYPE, text())
  }
  const docs = (exchange: Exchange) => {
    exchange.setHeaders(pageHeaders)
    exchange.send(200, 'text/html; charset=utf-8', page())
  }
  router.add('GET', '/openapi.json', { answer: openapi })
  router.add('GET', '/docs', { answer: docs })
}

/** Made by the first who asks: a start does not wait for it. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
