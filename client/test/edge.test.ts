import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { build, type Rolldown } from 'vite'
import { expect, it } from 'vitest'
import { signPayload } from '../../contract/signature.ts'
import { answer, failure, scripted } from './support.ts'

/**
 * Not an edge runtime: a bundle of the client in a `node:vm` context that has what such runtimes have in common, and no
 * `process`, `Buffer`, `require` or module loader.
 */
const scope = { fetch, crypto, URL, TextEncoder, TextDecoder, AbortController, AbortSignal, Request, Response }
const clock = { setTimeout, clearTimeout, queueMicrotask }

async function bundle(): Promise<string> {
  const entry = fileURLToPath(new URL('../src/index.ts', import.meta.url))
  const lib = { entry, name: 'usherClient', formats: ['iife' as const] }
  const built = await build({ configFile: false, logLevel: 'warn', build: { lib, write: false, target: 'es2022' } })
  const [{ output }] = built as Rolldown.RolldownOutput[] as [Rolldown.RolldownOutput]
  return output[0].code
}

it('runs where there is no Node: calls, retries, lists, a buffer and webhooks', async () => {
  const page = (id: string, has_more: boolean) =>
    answer(200, { object: 'list', data: [{ id }], has_more, next_page_url: 'https://x/users?starting_after=a' })
  const { url, seen } = await scripted(
    failure(503, 'unavailable'),
    answer(200, { id: 'u_1' }),
    page('a', true),
    page('b', false),
    answer(200, { results: [{ status: 200, body: {} }] }),
  )
  const body = '{"id":"n_1","topic":"user.created"}'
  const signature = signPayload('whsec_x', Math.floor(Date.now() / 1000), body)
  const context = createContext({ ...scope, ...clock, url, body, signature })
  const code = await bundle()
  const result = await runInContext(
    `${code}
     ;(async () => {
       const { Usher, fetchWebhook, verifyWebhook } = usherClient
       const usher = new Usher({ baseUrl: url, apiKey: 'ak_x' })
       const { id } = await usher.users.upsert({ id: 'u_1' })
       const ids = []
       for await (const user of usher.users.list()) ids.push(user.id)
       const buffer = usher.events.buffer()
       buffer.track({ name: 'ran', user_id: id })
       await buffer.close()
       const bytes = new TextEncoder().encode(body)
       const topics = []
       for (const raw of [body, bytes, bytes.buffer]) topics.push((await verifyWebhook(raw, signature, 'whsec_x')).topic)
       const receive = fetchWebhook({ secret: 'whsec_x', onNotification: ({ topic }) => void topics.push(topic) })
       const request = new Request('https://x/', { method: 'POST', body, headers: { 'service-signature': signature } })
       const { status } = await receive(request)
       return JSON.stringify({ id, ids, pending: buffer.pending, topics, status })
     })()`,
    context,
  )
  expect(JSON.parse(result)).toEqual({
    ...{ id: 'u_1', ids: ['a', 'b'], pending: 0, status: 200 },
    topics: Array.from({ length: 4 }, () => 'user.created'),
  })
  expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST /users',
    'POST /users',
    'GET /users',
    'GET /users?starting_after=a',
    'POST /batch',
  ])
})
