import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Type } from '../../contract/type.ts'
import { LONGEST_WAIT_MS } from '../../test/support/database.ts'
import { silent } from '../../test/support/log.ts'
import { errors } from '../errors.ts'
import { CONCURRENCY, ConcurrencyLimiter } from '../limits/concurrency-limiter.ts'
import { readConfig } from '../settings/config.ts'
import { sendFailure } from './failures.ts'
import { addOperations, admissionGuard, type Gate, type Handlers, type OperationTable } from './operation.ts'
import { ResponseDeadline } from './response-deadline.ts'
import { Router } from './router.ts'
import { createFront, type Front } from './serve.ts'
import { RequestSlots } from './slots.ts'
import { TIMEOUTS } from './timeouts.ts'
import { Transport } from './transport.ts'

/** A second API beside that of the contract: sessions instead of keys, and all kinds of answers. */
const operations = {
  show: { method: 'GET', path: '/rooms/:room_id/chairs/:chair_id' },
  signIn: { method: 'POST', path: '/session', body: Type.Object({ name: Type.String() }), bodyBytes: 100 },
  poke: {
    method: 'POST',
    path: '/poke',
    body: Type.Object({ hard: Type.Optional(Type.Boolean()) }),
    hasOptionalBody: true,
  },
  export: { method: 'GET', path: '/export' },
  broken: { method: 'GET', path: '/broken' },
  slow: { method: 'GET', path: '/slow' },
  events: { method: 'GET', path: '/events', produces: 'text/event-stream' },
} as const satisfies OperationTable

interface Session {
  name: string
}

type TestHandlers = Handlers<typeof operations, Session>

let gone = 0
const handlers: TestHandlers = {
  show: ({ grant, params, address }) => JSON.stringify({ ...params, name: grant.name, address: address() }),
  signIn: ({ body }) => ({
    status: 201,
    headers: { 'set-cookie': ['a=1', 'b=2'], 'cache-control': 'no-store' },
    body: JSON.stringify({ welcome: body.name }),
  }),
  poke: async ({ body }) => JSON.stringify(body),
  export: () => ({ body: rows(500) }),
  broken: () => ({ body: rows(10, 5) }),
  slow: ({ exchange }) => ({ body: held(exchange.signal()) }),
  events: ({ exchange }) => {
    const signal = exchange.signal()
    return { contentType: 'text/event-stream', isEndless: true, body: pings(signal) }
  },
}

async function* rows(count: number, failsAt?: number) {
  for (let row = 0; row < count; row += 1) {
    if (row === failsAt) throw new Error('a bug')
    yield `${'x'.repeat(1_000)}\n`
  }
}

/** As an export that its client reads slowly. */
async function* held(signal: AbortSignal) {
  yield 'x'
  if (!signal.aborted) await once(signal, 'abort')
}

async function* pings(signal: AbortSignal) {
  try {
    for (;;) {
      yield 'data: ping\n\n'
      await sleep(20, undefined, { signal })
    }
  } finally {
    gone += 1
  }
}

let front: Front | undefined
afterEach(async () => {
  await front?.close(() => false)
  front = undefined
})

async function start() {
  const config = readConfig({ PORT: '0' })
  const transport = new Transport(config)
  const broken = vi.fn()
  const log = { ...silent, error: broken }
  const fail = (exchange: Parameters<typeof sendFailure>[0], error: unknown) =>
    sendFailure(exchange, error, 'http://docs.test', log)
  const deadline = new ResponseDeadline(TIMEOUTS.answerMs, TIMEOUTS.checkMs, fail)
  const admit: Gate<Session>['admission']['admit'] = ({ request }) => {
    const name = request.headers.cookie?.match(/^name=(\w+)$/)?.[1]
    if (name === undefined) throw errors.invalidApiKey('Sign in.')
    return name === 'slow' ? Promise.resolve({ name }) : { name }
  }
  const slots = new RequestSlots(new ConcurrencyLimiter({ mostActive: 100, ...CONCURRENCY }))
  const gate: Gate<Session> = {
    admission: { admit, enter: (exchange, { name }) => slots.enter(exchange, name === 'ada' ? 1 : 2) },
    deadline,
    transport,
    observe: () => () => {},
    prefix: '/second',
  }
  const router = new Router({ guard: admissionGuard(gate) })
  addOperations(router, operations, handlers, gate)
  const parts = { router, transport, slots, deadline, fail, address: 'http://docs.test', log }
  front = createFront(config, TIMEOUTS, parts)
  front.server.listen({ host: '127.0.0.1', port: 0 })
  await once(front.server, 'listening')
  const { port } = front.server.address() as AddressInfo
  const ask = (path: string, { headers, ...options }: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}/second${path}`, { headers: { cookie: 'name=ada', ...headers }, ...options })
  return { port, ask, broken }
}

describe('a second table of operations', () => {
  it('has its own prefix and gate, and parameters by name', async () => {
    const { ask, port } = await start()
    const response = await ask('/rooms/a%2Fb/chairs/%C3%BC')
    const address = `http://127.0.0.1:${port}/second/rooms/a%2Fb/chairs/%C3%BC`
    expect(await response.json()).toEqual({ room_id: 'a/b', chair_id: 'ü', name: 'ada', address })
    expect((await ask('/rooms/a/chairs/b', { headers: { cookie: 'name=slow' } })).status).toBe(200)
    expect((await ask('/rooms/a/chairs/b', { headers: { cookie: '' } })).status).toBe(401)
    expect((await ask('/rooms/a%00/chairs/b')).status).toBe(400)
  })

  it('answers 404 and 405 only to callers that its gate admits', async () => {
    const { ask } = await start()
    const statuses = async (headers: Record<string, string>) => [
      (await ask('/nothing', { headers })).status,
      (await ask('/session', { method: 'DELETE', headers })).status,
    ]
    expect(await statuses({ cookie: '' })).toEqual([401, 401])
    expect(await statuses({})).toEqual([404, 405])
  })

  it('has a body limit for each operation', async () => {
    const { ask } = await start()
    const post = (body: string) =>
      ask('/session', { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    expect((await post(JSON.stringify({ name: 'x'.repeat(80) }))).status).toBe(201)
    const refused = await post(JSON.stringify({ name: 'x'.repeat(100) }))
    expect([refused.status, await refused.text()]).toEqual([413, expect.stringContaining('100 bytes')])
  })

  it('accepts a request without an optional body', async () => {
    const { ask } = await start()
    expect(await (await ask('/poke', { method: 'POST' })).text()).toBe('{}')
    const headers = { 'content-type': 'application/json' }
    expect(await (await ask('/poke', { method: 'POST', body: '{"hard":true}', headers })).text()).toBe('{"hard":true}')
    expect((await ask('/poke', { method: 'POST', body: '{"hard":5}', headers })).status).toBe(400)
    expect((await ask('/poke', { method: 'POST', body: '{"hard":true}' })).status).toBe(415)
  })
})

describe('a reply', () => {
  it('sets a status, headers and several cookies', async () => {
    const { ask } = await start()
    const headers = { 'content-type': 'application/json' }
    const response = await ask('/session', { method: 'POST', body: '{"name":"ada"}', headers })
    expect([response.status, response.headers.get('cache-control')]).toEqual([201, 'no-store'])
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(response.headers.get('request-id')).toMatch(/^req_/)
    expect(await response.json()).toEqual({ welcome: 'ada' })
  })

  it('is streamed to its end, and to HEAD without a body', async () => {
    const { ask } = await start()
    expect((await (await ask('/export')).text()).length).toBe(500 * 1_001)
    const head = await ask('/export', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('that breaks off is visibly incomplete for the client, and is logged', async () => {
    const { ask, broken } = await start()
    const response = await ask('/broken')
    await expect(response.text()).rejects.toThrow()
    await expect.poll(() => broken).toHaveBeenCalledOnce()
  })

  it('is refused while the account reads 20 others, and not to another account', async () => {
    const { ask } = await start()
    const client = new AbortController()
    const reading = await Promise.all(Array.from({ length: 20 }, () => ask('/slow', { signal: client.signal })))
    expect(reading.map(({ status }) => status)).toEqual(Array(20).fill(200))
    const refused = await ask('/slow')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect((await ask('/slow', { headers: { cookie: 'name=bob' }, signal: client.signal })).status).toBe(200)
    client.abort()
    await expect.poll(async () => (await ask('/export')).status, { timeout: LONGEST_WAIT_MS }).toBe(200)
  })

  it('without an end is aborted when its client disconnects', async () => {
    const { port, broken } = await start()
    const before = gone
    const socket = connect(port, '127.0.0.1')
    socket.write('GET /second/events HTTP/1.1\r\nHost: x\r\nCookie: name=ada\r\nAccept: text/event-stream\r\n\r\n')
    await once(socket, 'data')
    socket.destroy()
    await expect.poll(() => gone).toBe(before + 1)
    expect(broken).not.toHaveBeenCalled()
  })

  it('without an end does not delay a stop', async () => {
    const { ask } = await start()
    const reader = (await ask('/events')).body?.getReader()
    await reader?.read()
    await front?.close(() => false)
    await expect(
      (async () => {
        while (!(await reader?.read())?.done);
      })(),
    ).rejects.toThrow()
  })
})

it('an operation without a handler does not compile', () => {
  const { show: _, ...rest } = handlers
  // @ts-expect-error `show` is missing.
  const incomplete: TestHandlers = rest
  // @ts-expect-error The path has no parameter of this name.
  const wrong: TestHandlers['show'] = ({ params }) => params.table_id
  // @ts-expect-error There is no such operation.
  const unknown = { other: () => '{}' } satisfies Partial<TestHandlers>
  expect([incomplete, wrong, unknown]).toHaveLength(3)
})
