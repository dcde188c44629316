import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { serverAddress } from '../../test/support/postgres-proxy.ts'
import { checkAnswer } from '../../test/support/response-schemas.ts'
import { createKeys, startService, type TestService } from '../../test/support/service.ts'

let test: TestDatabase
let service: TestService
beforeAll(async () => {
  test = await createTestDatabase()
  service = await startService(test, { USHER_MAX_ACTIVE_REQUESTS: '2' })
})
afterAll(async () => {
  await service.close()
  await test.close()
})

const keyOf = async (plan: string) => (await createKeys(test.database, plan, ['Production']))[0] as string

async function get(key: string, { url } = service): Promise<Response> {
  const response = await fetch(`${url}/users?limit=1`, { headers: { authorization: `Bearer ${key}` } })
  const text = await response.clone().text()
  checkAnswer('GET', '/users', { status: response.status, headers: Object.fromEntries(response.headers), text })
  return response
}

async function statuses(requests: Iterable<() => Promise<Response>>, clients: number): Promise<Map<number, number>> {
  const counts = new Map<number, number>()
  const queue = requests[Symbol.iterator]()
  const client = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) {
      const { status } = await next.value()
      counts.set(status, (counts.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return counts
}

/** A request whose client does nothing more. */
function sendOnce(head: string, key: string): Socket {
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(`${head} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`)
  socket.write('Content-Type: application/json\r\nContent-Length: 20\r\n\r\n')
  return socket
}

/** Locks the users: requests that read them keep their slots. */
async function whileUsersAreLocked(work: () => Promise<void>): Promise<void> {
  const holder = await test.database.pool.connect()
  await holder.query('begin; lock table users in access exclusive mode')
  try {
    await work()
  } finally {
    await holder.query('rollback')
    holder.release()
  }
}

/** A connection to the database that can be cut. */
async function breakableLink(address: NetConnectOpts) {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return void near.destroy()
    const far = connect(address)
    for (const socket of [near, far])
      sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  const mend = () => {
    isCut = false
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    mend,
    close: () => new Promise((done) => server.close(done)),
  }
}

const TIMES = inject('isLong') ? 5 : 2
it(`serves exactly the requests of the plan under ${TIMES} times the load, over two environments and two nodes`, async () => {
  const keys = await createKeys(test.database, 'starter', ['Production', 'Staging'])
  const second = await startService(test)
  const nodes = [service, second]
  const requests = Array.from({ length: TIMES * 500 }, (_, index) => () => {
    return get(keys[index % 2] as string, nodes[(index >> 1) % 2] as TestService)
  })
  expect(await statuses(requests, 16)).toEqual(
    new Map([
      [200, 500],
      [429, (TIMES - 1) * 500],
    ]),
  )
  await second.close()
})

it('answers with headers for the remaining requests and the time to retry', async () => {
  const key = await keyOf('starter')
  const first = await get(key)
  expect(first.status).toBe(200)
  const headersOf = ({ headers }: Response) => {
    return ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`)))
  }
  expect(headersOf(first)).toEqual([500, 499, 50])
  await statuses(
    Array.from({ length: 499 }, () => () => get(key)),
    8,
  )
  const refused = await get(key)
  expect(refused.status).toBe(429)
  expect(headersOf(refused)).toEqual([500, 0, expect.any(Number)])
  expect(Number(refused.headers.get('retry-after'))).toBe(headersOf(refused)[2])
  expect(await refused.json()).toEqual({
    error: {
      code: 'rate_limited',
      message: expect.stringContaining('500 requests of this minute'),
      doc_url: expect.any(String),
      request_id: refused.headers.get('request-id'),
    },
  })
})

it('answers a limited account with 503 while the database is unreachable, and serves it again afterwards', async () => {
  const key = await keyOf('starter')
  const link = await breakableLink(serverAddress(test.connection))
  const node = await startService({ connection: { ...test.connection, host: '127.0.0.1', port: link.port } })
  expect((await get(key, node)).status).toBe(200)
  link.cut()
  const unreachable = await get(key, node)
  expect(unreachable.status).toBe(503)
  expect(unreachable.headers.has('retry-after')).toBe(true)
  link.mend()
  await expect.poll(async () => (await get(key, node)).status).toBe(200)
  await node.close()
  await link.close()
})

it('sets no limit on a plan without one', async () => {
  const key = await keyOf('self_hosted')
  expect((await get(key)).headers.has('ratelimit-limit')).toBe(false)
})

it('frees the slot of a client that disconnects, while it is served and while it waits', async () => {
  const key = await keyOf('self_hosted')
  const { concurrency } = service.services
  const ask = () => sendOnce('GET /users/u', key)
  await whileUsersAreLocked(async () => {
    const held = [ask(), ask()]
    await expect.poll(() => concurrency.active).toBe(2)
    const waiting = ask()
    await expect.poll(() => concurrency.waiting).toBe(1)
    waiting.destroy()
    await expect.poll(() => concurrency.waiting).toBe(0)
    const next = ask()
    await expect.poll(() => concurrency.waiting).toBe(1)
    held[0]?.destroy()
    await expect.poll(() => concurrency.waiting).toBe(0)
    for (const socket of [...held, next]) socket.destroy()
    await expect.poll(() => concurrency.active).toBe(0)
  })
})

it('serves others while clients with a valid key stall their uploads', async () => {
  const key = await keyOf('self_hosted')
  const { concurrency } = service.services
  const stalled = Array.from({ length: 5 }, () => sendOnce('POST /users', key))
  for (let request = 0; request < 5; request += 1) expect((await get(key)).status).toBe(200)
  expect([concurrency.active, concurrency.waiting]).toEqual([0, 0])
  for (const socket of stalled) socket.destroy()
})

it('frees the slots of pipelined requests when their connection breaks', async () => {
  const key = await keyOf('self_hosted')
  const { concurrency } = service.services
  const { hostname, port } = new URL(service.url)
  const send = () => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.write(`GET /users HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`.repeat(10))
    return socket
  }
  const allFree = () => expect.poll(() => concurrency.active === 0 && concurrency.waiting === 0).toBe(true)
  await whileUsersAreLocked(async () => {
    const socket = send()
    await expect.poll(() => concurrency.active).toBeGreaterThan(0)
    socket.resetAndDestroy()
  })
  await allFree()
  // At any other moment.
  for (let round = 0; round < 20; round += 1) {
    const socket = send()
    await once(socket, 'connect')
    for (let turn = 0; turn < round; turn += 1) await setImmediate()
    socket.resetAndDestroy()
    await allFree()
  }
})

it('serves another account before the waiting requests of an account that floods', async () => {
  const [flooding, other] = [await keyOf('self_hosted'), await keyOf('self_hosted')]
  const { concurrency } = service.services
  const answered: string[] = []
  const sent: Promise<unknown>[] = []
  const send = async (key: string, count: number) => {
    const before = concurrency.waiting
    for (let request = 0; request < count; request += 1)
      sent.push(
        get(key).then(({ status }) => {
          expect(status).toBe(200)
          answered.push(key)
        }),
      )
    await expect.poll(() => concurrency.waiting).toBeGreaterThanOrEqual(before + count - 2)
  }
  await whileUsersAreLocked(async () => {
    await send(flooding, 100)
    await send(other, 5)
  })
  await Promise.all(sent)
  // In order of arrival it would come last. Answers that are sent at the same moment may be read in another order.
  expect(answered.lastIndexOf(other)).toBeLessThan(50)
})
