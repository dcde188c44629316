import { once } from 'node:events'
import { Agent, request, type ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { TIMEOUTS } from '../server/http/timeouts.ts'
import { createTestDatabase, type TestDatabase } from './support/database.ts'
import { forkBeside } from './support/process.ts'
import { RawClient } from './support/raw-client.ts'
import { createKeys, startService, type TestService } from './support/service.ts'

const HOUR_MS = 3_600_000
const MiB = 1024 * 1024
/** Clients of each case. */
const CLIENTS = inject('isLong') ? 10 : 4

let test: TestDatabase
let service: TestService
let shortTimeouts: TestService
let key: string
let limitedKey: string
let clients: RawClient[] = []

beforeAll(async () => {
  test = await createTestDatabase()
  key = (await createKeys(test.database, 'self_hosted', ['Production']))[0] as string
  limitedKey = (await createKeys(test.database, 'starter', ['Production']))[0] as string
  // No time limit ends a connection: only the refusal can.
  service = await startService(test, {}, undefined, { ...TIMEOUTS, requestMs: HOUR_MS, keepAliveMs: HOUR_MS })
  shortTimeouts = await startService(test, {}, undefined, { ...TIMEOUTS, headersMs: 500, requestMs: 700, checkMs: 50 })
})
afterAll(async () => {
  await Promise.all([service.close(), shortTimeouts.close()])
  await test.close()
})
afterEach(() => {
  for (const client of clients) client.leave()
  clients = []
})

async function open(port = service.port): Promise<RawClient> {
  const client = await RawClient.connect(port)
  clients.push(client)
  return client
}

const auth = () => `Host: x\r\nAuthorization: Bearer ${key}\r\n`
const get = (path: string) => `GET ${path} HTTP/1.1\r\n${auth()}\r\n`
const post = (length: number, headers = '') =>
  `POST /users HTTP/1.1\r\n${auth()}Content-Type: application/json\r\n${headers}Content-Length: ${length}\r\n\r\n`

const chunked = (version: string, coding: string) =>
  `POST /users ${version}\r\n${auth()}Content-Type: application/json\r\nConnection: keep-alive\r\nTransfer-Encoding: ${coding}\r\n\r\n8\r\n{"id":1}\r\n0\r\n\r\n`

type Case = [name: string, bytes: () => string, status: number, code: string]

const refused: Case[] = [
  ['garbage', () => 'nonsense\r\n\r\n', 400, 'invalid_params'],
  ['garbage without an end', () => '\u0016\u0003\u0001\u0002\u0000', 400, 'invalid_params'],
  ['headers too large', () => `GET / HTTP/1.1\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ['CONNECT', () => 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid_params'],
  [
    'broken chunks',
    () => `${post(0).replace('Content-Length: 0', 'Transfer-Encoding: chunked')}zz\r\n`,
    400,
    'invalid_params',
  ],
  ['a chunked body over HTTP/1.0', () => chunked('HTTP/1.0', 'chunked') + get('/users'), 400, 'invalid_params'],
  ['a body that is coded twice', () => chunked('HTTP/1.1', 'gzip, chunked') + get('/users'), 400, 'invalid_params'],
  ['a body too large', () => post(2 * MiB) + 'x'.repeat(2 * MiB), 413, 'payload_too_large'],
  ['the announcement of a body too large', () => post(2 * MiB), 413, 'payload_too_large'],
  ['Connection: close', () => get('/nothing').replace('Host', 'Connection: close\r\nHost'), 404, 'unknown_url'],
  ['a missing key, and no body', () => post(40 * MiB).replace(/Authorization.*\r\n/, ''), 401, 'invalid_api_key'],
  [
    'a missing key, and a body without end',
    () => post(400 * MiB).replace(/Authorization.*\r\n/, '') + 'x'.repeat(inject('isLong') ? 40 * MiB : 8 * MiB),
    401,
    'invalid_api_key',
  ],
]
const slow: Case[] = [
  ['headers that stop', () => 'GET /users HTTP/1.1\r\nHost: x\r\n', 408, 'request_timeout'],
  ['a body that stops', () => `${post(1_000)}{"id":"`, 408, 'request_timeout'],
  ['a body too large that stops', () => `${post(2 * MiB)}{"id":"`, 413, 'payload_too_large'],
]

async function expectDestroyed({ connections, port }: TestService, [, bytes, status, code]: Case): Promise<void> {
  await expect.poll(connections).toBe(0)
  const all = await Promise.all(Array.from({ length: CLIENTS }, () => open(port)))
  for (const client of all) client.write(bytes())
  await expect.poll(() => all.map((client) => client.code)).toEqual(all.map(() => code))
  await expect.poll(connections).toBe(0)
  expect(all.map(({ statuses }) => statuses)).toEqual(all.map(() => [status]))
}

/** When the machine stands still for half a second, a connection is over before its bytes are read. Then it is tried again. */
async function expectDestroyedLate([, bytes, status, code]: Case): Promise<void> {
  const answers: number[][] = []
  const codesOf = async () => {
    const all = await Promise.all(Array.from({ length: CLIENTS }, () => open(shortTimeouts.port)))
    for (const client of all) client.write(bytes())
    await expect.poll(() => all.every(({ isEnded }) => isEnded)).toBe(true)
    await expect.poll(shortTimeouts.connections).toBe(0)
    answers.push(...all.map(({ statuses }) => statuses))
    return all.map((client) => client.code)
  }
  await expect.poll(codesOf).toEqual(Array(CLIENTS).fill(code))
  expect(answers.slice(-CLIENTS)).toEqual(Array(CLIENTS).fill([status]))
  expect(answers.filter((statuses) => statuses.length > 1)).toEqual([])
}

describe('a connection whose client never closes gets one answer and is destroyed after', () => {
  it.each(refused)('%s', async (...one) => await expectDestroyed(service, one))
  it.each(slow)('%s', async (...one) => await expectDestroyedLate(one))
})

it('a connection that never carried a byte is destroyed without an answer', async () => {
  const all = await Promise.all(Array.from({ length: 10 }, () => open(shortTimeouts.port)))
  await expect.poll(() => all.every(({ isEnded }) => isEnded)).toBe(true)
  await expect.poll(shortTimeouts.connections).toBe(0)
  expect(all.flatMap(({ statuses }) => statuses)).toEqual([])
})

it('a stop does not wait for refused clients that keep their connection open', async () => {
  const own = await startService(test, {}, undefined, { ...TIMEOUTS, requestMs: HOUR_MS, keepAliveMs: HOUR_MS })
  const all = await Promise.all(Array.from({ length: 20 }, () => RawClient.connect(own.port)))
  for (const client of all) client.write('nonsense\r\n\r\n')
  await expect.poll(() => all.every(({ code }) => code !== undefined)).toBe(true)
  await own.close()
  for (const client of all) client.leave()
})

it('garbage after valid requests is answered after their answers', async () => {
  const client = await open()
  client.write(`${get('/users?limit=1')}${get('/users/nobody')}garbage\r\n\r\n`)
  await expect.poll(() => client.statuses).toEqual([200, 404, 400])
  await expect.poll(service.connections).toBe(0)
})

it('every client that sends 5 MB over a kept connection reads its 413', async () => {
  // In its own process: in ours the client could not send while the server answers.
  const child = await forkBeside('short-timeout-server')
  child.send({ connection: test.connection, timeouts: TIMEOUTS })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  const body = Buffer.alloc(5_000_000, 'x')
  const agent = new Agent({ keepAlive: true, maxSockets: 2 })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': body.length }
  const send = async () => {
    const sent = request({ port, path: '/users', method: 'POST', agent, headers }).end(body)
    const [response] = await once(sent, 'response')
    response.resume()
    return response.statusCode as number
  }
  const outcomes = await Promise.all(
    Array.from({ length: inject('isLong') ? 100 : 12 }, () => send().catch((error) => String(error))),
  )
  expect(new Set(outcomes)).toEqual(new Set([413]))
  agent.destroy()
  child.disconnect()
  await once(child, 'exit')
})

describe('Expect: 100-continue', () => {
  it.each<[string, () => string, number]>([
    [
      'without a key',
      () => 'POST /users HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n',
      401,
    ],
    ['to an unknown path', () => post(5, 'Expect: 100-continue\r\n').replace('/users', '/nothing'), 404],
    ['with a wrong method', () => post(5, 'Expect: 100-continue\r\n').replace('POST', 'PUT'), 405],
    ['with too large a body', () => post(5 * MiB, 'Expect: 100-continue\r\n'), 413],
    [
      'with a body that is not JSON',
      () => post(5, 'Expect: 100-continue\r\n').replace('application/json', 'text/csv'),
      415,
    ],
    ['to a GET', () => get('/users?limit=1').replace('Host', 'Expect: 100-continue\r\nHost'), 200],
  ])('%s is answered without asking for the body', async (_name, bytes, status) => {
    const client = await open()
    client.write(bytes())
    await expect.poll(() => client.statuses).toEqual([status])
  })

  it('over the rate limit is answered without asking for the body', async () => {
    for (let count = 0; count < 500; count += 1)
      await (await fetch(`${service.url}/users?limit=1`, { headers: { authorization: `Bearer ${limitedKey}` } })).text()
    const client = await open()
    client.write(post(5, 'Expect: 100-continue\r\n').replace(key, limitedKey))
    await expect.poll(() => client.statuses).toEqual([429])
  })

  it('of a good request gets 100, and after the body its answer', async () => {
    const client = await open()
    client.write(post(10, 'Expect: 100-continue\r\n'))
    await expect.poll(() => client.statuses).toEqual([100])
    client.write('{"id":"e"}')
    await expect.poll(() => client.statuses).toEqual([100, 200])
  })
})

/** One read holds 1,900 of them. */
const PIPELINED = inject('isLong') ? 20_000 : 6_000
it(`of ${PIPELINED} pipelined requests no more wait than one read holds, and all are answered`, async () => {
  const client = await open()
  let waiting = 0
  let most = 0
  const count = (_request: unknown, response: ServerResponse) => {
    waiting += 1
    most = Math.max(most, waiting)
    response.on('close', () => {
      waiting -= 1
    })
  }
  service.server.on('request', count)
  const one = `GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`
  client.write(one.repeat(PIPELINED))
  await expect.poll(() => client.received.match(/"status":"ok"/g)?.length).toBe(PIPELINED)
  service.server.off('request', count)
  expect(most).toBeLessThanOrEqual((64 * 1024) / one.length + 1)
})
