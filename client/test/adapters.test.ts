import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newSecret, signPayload } from '../../contract/signature.ts'
import { expressWebhook, fastifyWebhook, fetchWebhook, type WebhookHandlerOptions } from '../src/index.ts'

const secret = newSecret()

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Sends what a route of Request and Response answers over real HTTP. */
function overHttp(handle: (request: Request) => Promise<Response> | Response): RequestListener {
  return async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as [string, string])
    const request = new Request(`http://test${incoming.url}`, { method: 'POST', headers, body: Buffer.concat(chunks) })
    const response = await Promise.resolve(handle(request)).catch(() => new Response('failed', { status: 500 }))
    outgoing.writeHead(response.status).end(await response.text())
  }
}

const frameworks: Record<string, (options: WebhookHandlerOptions) => Promise<string>> = {
  express: async (options) => {
    const app = express()
    app.post('/hook', expressWebhook(options))
    app.use(express.json())
    return await serve(app)
  },
  'express with express.raw()': async (options) => {
    const app = express()
    app.post('/hook', express.raw({ type: 'application/json' }), expressWebhook(options))
    return await serve(app)
  },
  fastify: async (options) => {
    const app = fastify()
    app.register(fastifyWebhook({ path: '/hook', ...options }))
    await app.listen({ host: '127.0.0.1', port: 0 })
    onTestFinished(async () => await app.close())
    return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  },
  hono: async (options) => {
    const handle = fetchWebhook(options)
    const app = new Hono().post('/hook', (context) => handle(context.req.raw))
    return await serve(overHttp((request) => app.fetch(request)))
  },
  // A route of Next is a module that exports functions from Request to Response by the name of the method.
  'a route of Next': async (options) => {
    const route = { POST: fetchWebhook(options) }
    return await serve(overHttp(route.POST))
  },
}

describe.each(Object.entries(frameworks))('%s', (_, start) => {
  const body = '{"id":"n_1","topic":"user.created","name":"Größe 📦"}'
  const post = (url: string, header: string, text = body) =>
    fetch(`${url}/hook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'service-signature': header },
      body: text,
    })
  const signed = () => signPayload(secret, Math.floor(Date.now() / 1000), body)

  it('passes genuine notifications on and acknowledges them', async () => {
    const received: unknown[] = []
    const url = await start({ secret, onNotification: (notification) => void received.push(notification) })
    expect((await post(url, signed())).status).toBe(200)
    expect(received).toEqual([JSON.parse(body)])
  })

  it('refuses others with the reason, and passes nothing on', async () => {
    const received: unknown[] = []
    const url = await start({ secret, onNotification: (notification) => void received.push(notification) })
    const changed = await post(url, signed(), `${body} `)
    expect([changed.status, await changed.text()]).toEqual([400, 'wrong_signature'])
    expect((await post(url, 'nonsense')).status).toBe(400)
    expect(received).toEqual([])
  })

  it('refuses a body that is empty', async () => {
    const url = await start({ secret, onNotification: () => {} })
    const refused = await post(url, signed(), '')
    expect([refused.status, await refused.text()]).toEqual([400, 'wrong_signature'])
  })

  it('refuses a body that is too large, with an answer', async () => {
    const url = await start({ secret, onNotification: () => {} })
    expect((await post(url, signed(), ' '.repeat(2 * 1024 * 1024 + 1))).status).toBe(413)
  })

  it('does not acknowledge a notification whose handler failed, so that it is sent again', async () => {
    const url = await start({
      secret,
      onNotification: () => {
        throw new Error('the database of the application is unreachable')
      },
    })
    expect((await post(url, signed())).status).toBe(500)
  })
})

it('names express.json() before the webhook as the mistake', async () => {
  const app = express()
  app.use(express.json())
  app.post('/hook', expressWebhook({ secret, onNotification: () => {} }))
  app.use(
    ((error, _request, response, _next) => void response.status(500).end(error.message)) as express.ErrorRequestHandler,
  )
  const url = await serve(app)
  const response = await fetch(`${url}/hook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  expect(await response.text()).toContain('put the webhook before express.json()')
})
