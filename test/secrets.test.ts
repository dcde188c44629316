import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { verifySignature } from '../contract/signature.ts'
import { hashKey } from '../server/accounts/keys.ts'
import { usherJson } from './support/command.ts'
import { createTestDatabase, type TestDatabase } from './support/database.ts'
import { temporaryFolder } from './support/folder.ts'
import { startNode } from './support/node.ts'
import { call, type ServerProcess, spawnServer } from './support/process.ts'
import { receive } from './support/receivers.ts'
import { Client } from './support/requests.ts'

const METRICS_TOKEN = 'token-of-the-metrics'
const WRONG_KEY = `ak_${'w'.repeat(26)}`

let test: TestDatabase
let server: ServerProcess

beforeAll(async () => {
  test = await createTestDatabase()
  server = await spawnServer({
    DATABASE_URL: test.url,
    USHER_LOG_LEVEL: 'trace',
    USHER_METRICS_TOKEN: METRICS_TOKEN,
  })
})
afterAll(async () => {
  await server.end()
  await test.close()
})

/** Bytes that no client would send, with the key among them. */
async function sendRaw(text: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.on('error', () => {})
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.end(text)
  await once(socket, 'close')
  return received
}

it('neither keys nor secrets nor passwords are in a log at level trace, in an answer, or in the title of a process', async () => {
  const signatures: string[] = []
  const receiver = await receive(
    createServer((request, response) => {
      signatures.push(String(request.headers['service-signature']))
      response.writeHead(signatures.length % 2 ? 500 : 200).end('thanks')
    }),
  )
  const answers: unknown[] = []
  const ask = async (method: string, path: string, body?: unknown, key = server.key) => {
    const answer = await call({ url: server.url, key }, method, path, body)
    answers.push(answer.body)
    return answer
  }
  const url = `http://127.0.0.1:${receiver.port}/hook`
  const { body: subscription } = await call(server, 'POST', '/webhook_subscriptions', { url, topics: ['*'] })
  expect(subscription.secret).toMatch(/^whsec_/)
  await ask('GET', `/webhook_subscriptions/${subscription.id}`)
  await ask('PATCH', `/webhook_subscriptions/${subscription.id}`, { topics: ['user'] })
  await ask('PATCH', `/webhook_subscriptions/${subscription.id}`, { url: 'https://user:hidden-password@example.com/' })
  await ask('GET', '/webhook_subscriptions')
  for (const id of ['a', 'b', 'c', 'd']) await ask('POST', '/users', { id, attributes: { n: 1 } })
  await ask('POST', '/users', { id: 'a', attributes: { n: { add: 'x' } } })
  // A key in the query is returned to its sender in `url`; the log has no queries.
  await call(server, 'GET', `/users?api_key=${server.key}`)
  await ask('GET', '/nothing')
  await fetch(`${server.url}/metrics`, { headers: { via: 'proxy', authorization: `Bearer ${METRICS_TOKEN}` } })
  await ask('GET', '/users', undefined, WRONG_KEY)
  await ask('GET', '/users', undefined, `${server.key} ${WRONG_KEY}`)
  answers.push(
    await sendRaw(`GET /users HTTP/1.1\r\nAuthorization: Bearer ${server.key}\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`),
  )
  answers.push(await sendRaw(`GET /users HTTP/9.9\r\nAuthorization: Bearer ${server.key}\r\n\r\n`))
  const holder = await test.database.pool.connect()
  await holder.query('begin; lock table users in access exclusive mode')
  expect(await ask('POST', '/users', { id: 'a' })).toMatchObject({ status: 503 })
  await holder.query('rollback')
  holder.release()
  await expect.poll(() => signatures.length).toBeGreaterThanOrEqual(4)
  await receiver.close()

  expect(server.output()).toContain('"level":"debug"')
  const title = await readFile(`/proc/${server.child.pid}/cmdline`, 'utf8').catch(() => '')
  const everything = [server.output(), title, JSON.stringify(answers)].join('\n')
  const { password } = test.connection as { password: string }
  const hidden = [server.key, WRONG_KEY, subscription.secret, METRICS_TOKEN, 'hidden-password', ...signatures]
  // The server of TEST_DATABASE_URL may need none.
  if (password !== '') hidden.push(password)
  for (const secret of hidden) expect(everything.includes(secret), secret).toBe(false)
})

it('neither the tables nor a backup contain a usable key, and a backup has no session and no link of a member', async () => {
  const folder = await temporaryFolder()
  onTestFinished(async () => await rm(folder, { recursive: true, force: true }))
  await usherJson(['backup', join(folder, 'backup')], { DATABASE_URL: test.url })
  const everything = gunzipSync(await readFile(join(folder, 'backup'))).toString()
  expect(everything).toContain('"table":"api_keys"')
  expect(everything).toContain(hashKey(server.key).toString('hex'))
  expect(everything).not.toContain(server.key)
  expect(everything).toContain('"table":"members"')
  for (const table of ['member_sessions', 'member_browsers', 'member_links', 'edit_sessions'])
    expect(everything, table).not.toContain(`"table":"${table}"`)
})

it('with a key, neither the tables nor a backup have a secret of a webhook or of identities, and deliveries are signed with it', async () => {
  const sealing = await createTestDatabase()
  const settings = { DATABASE_URL: sealing.url, USHER_SECRET_KEY: randomBytes(32).toString('hex') }
  const node = await startNode(settings)
  const folder = await temporaryFolder()
  const received: { body: string; signature: string }[] = []
  const receiver = await receive(
    createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString()
      received.push({ body, signature: String(request.headers['service-signature']) })
      response.end()
    }),
  )
  const client = new Client(node.url, node.key)
  onTestFinished(async () => {
    await client.close()
    await node.end()
    await receiver.close()
    await sealing.close()
    await rm(folder, { recursive: true, force: true })
  })
  const request = { url: `http://127.0.0.1:${receiver.port}/`, topics: ['*'] }
  const send = async (path: string, body: object, key: string) =>
    await client.post(path, body, { 'idempotency-key': key })
  const { body: first } = await send('/webhook_subscriptions', request, 'create')
  const { body: rotated } = await send(`/webhook_subscriptions/${first.id}/rotate_secret`, {}, 'rotate')
  expect([first.secret, rotated.secret]).toEqual([expect.stringMatching(/^whsec_/), expect.stringMatching(/^whsec_/)])
  expect((await send('/webhook_subscriptions', request, 'create')).body).toEqual(first)
  expect((await send(`/webhook_subscriptions/${first.id}/rotate_secret`, {}, 'rotate')).body).toEqual(rotated)
  await client.post('/users', { id: 'a' })
  await expect.poll(() => received.length).toBe(1)
  for (const { body, signature: header } of received)
    for (const { secret } of [first, rotated])
      expect(verifySignature({ secret, header, body, nowSeconds: Date.now() / 1000 })).toEqual({ valid: true })

  const identity = await usherJson(['identity', 'create-secret', '--environment', 'Production'], settings)
  await usherJson(['backup', join(folder, 'backup')], { DATABASE_URL: sealing.url })
  const rows = await sealing.database.query<{ text: string }>(
    `select k::text as text from idempotency_keys as k union all select s::text from webhook_subscriptions as s
     union all select i::text from identity_secrets as i union all select p::text from public_settings as p`,
    [],
  )
  const everything = gunzipSync(await readFile(join(folder, 'backup'))).toString() + JSON.stringify(rows)
  expect(everything).toContain('sealed:1:')
  expect(everything).not.toContain('whsec_')
  expect(identity).toMatchObject({ secret: expect.stringMatching(/.{20}/) })
  expect(everything).not.toContain((identity as { secret: string }).secret)
  expect(await sealing.database.query('select visitor_key from public_settings', [])).toEqual([
    { visitor_key: expect.stringMatching(/^sealed:1:/) },
  ])
})

it('no page of another site may use the API: no CORS header outside of /sdk, and OPTIONS is 405', async () => {
  const headers = {
    authorization: `Bearer ${server.key}`,
    origin: 'https://evil.example',
    'access-control-request-method': 'POST',
  }
  for (const [method, path, status] of [
    ['OPTIONS', '/users', 405],
    ['OPTIONS', '/events', 405],
    ['OPTIONS', '/users/a', 405],
    ['OPTIONS', '/webhook_subscriptions', 405],
    ['GET', '/users', 200],
    ['GET', '/nothing', 404],
    ['GET', '/healthz', 200],
    ['GET', '/docs', 200],
    ['GET', '/openapi.json', 200],
  ] as const) {
    const response = await fetch(server.url + path, { method, headers })
    await response.text()
    const cors = [...response.headers.keys()].filter((name) => name.startsWith('access-control-'))
    expect([method, path, response.status, cors]).toEqual([method, path, status, []])
  }
})
