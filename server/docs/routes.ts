import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
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
export function registerDocs(app: FastifyInstance, address: string): void {
  const document = once(() => buildDocument(address))
  const text = once(() => JSON.stringify(document()))
  const page = once(() => renderPage(document(), address))
  app.get('/openapi.json', async (_request, reply) => {
    reply.headers({ 'x-content-type-options': 'nosniff', 'cache-control': pageHeaders['cache-control'] })
    return await reply.type('application/json; charset=utf-8').send(text())
  })
  app.get(
    '/docs',
    async (_request, reply) => await reply.headers(pageHeaders).type('text/html; charset=utf-8').send(page()),
  )
}

/** Made by the first who asks: a start does not wait for it. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
