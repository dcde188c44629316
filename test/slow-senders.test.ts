import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from './support/database.ts'
import { call, forkBeside } from './support/process.ts'
import { createKeys } from './support/service.ts'

const timeouts = {
  headersMs: 4_000,
  requestMs: 5_000,
  silenceMs: 6_000,
  keepAliveMs: 5_000,
  answerMs: 18_000,
  checkMs: 100,
}
const MB = 1024 * 1024
const [SLOW, MANY, SOME] = inject('isLong') ? [200, 100, 50] : [40, 30, 20]

let test: TestDatabase
let child: ChildProcess
let server: { url: string; key: string }
let port: number

beforeAll(async () => {
  test = await createTestDatabase()
  const [key] = await createKeys(test.database, 'self_hosted', ['Production'])
  // As `npm start` sets it: otherwise the test would measure the heap's room for garbage.
  const flags = ['--max-semi-space-size=16', '--heap-growing-percent=100', '--no-allocation-site-pretenuring']
  child = await forkBeside('short-timeout-server', flags)
  child.send({ connection: test.connection, timeouts })
  const [message] = (await once(child, 'message')) as [{ port: number }]
  port = message.port
  server = { url: `http://127.0.0.1:${port}`, key: key as string }
  await call(server, 'POST', '/users', { id: 'u' })
})
afterAll(async () => {
  child.disconnect()
  await once(child, 'exit')
  await test.close()
})

async function figure(name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1])
}

/** A normal client works during every attack. Memory and slots are compared with those before. */
let working: boolean
let worker: Promise<number[]>
let memoryBefore: number
let filesBefore: number
let opened: Sender[] = []

beforeEach(async () => {
  memoryBefore = await figure('process_resident_memory_bytes')
  filesBefore = await figure('process_open_fds')
  working = true
  worker = (async () => {
    const statuses: number[] = []
    while (working) {
      statuses.push((await call(server, 'POST', '/users', { id: 'u', attributes: { n: { add: 1 } } })).status)
      await sleep(50)
    }
    return statuses
  })()
})
afterEach(async () => {
  working = false
  const statuses = await worker
  expect(statuses.length).toBeGreaterThan(0)
  expect(statuses.filter((status) => status !== 200)).toEqual([])
  await expect.poll(() => figure('usher_active_requests')).toBe(0)
  expect(await figure('usher_waiting_requests')).toBe(0)
  // A few more are not of the attack: connections to the database, and those of the test.
  await expect.poll(() => figure('process_open_fds')).toBeLessThan(filesBefore + 15)
  for (const { socket } of opened) socket.destroy()
  opened = []
  expect((await figure('process_resident_memory_bytes')) - memoryBefore).toBeLessThan(200 * MB)
})

class Sender {
  readonly socket: Socket
  received = ''
  /** The server has closed its side. Ours stays open: the server must destroy the socket anyway. */
  readonly ended: Promise<unknown>

  constructor() {
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    opened.push(this)
    this.socket.setEncoding('utf8')
    this.socket.on('data', (text: string) => {
      this.received += text
    })
    this.socket.on('error', () => {})
    this.ended = new Promise((resolve) => this.socket.once('end', resolve).once('close', resolve))
  }

  /** A byte at a time, until the server has enough. */
  async drip(): Promise<void> {
    while (!this.socket.destroyed && this.socket.writable && !this.socket.readableEnded) {
      this.socket.write('x')
      await sleep(100)
    }
  }

  get statuses(): number[] {
    return [...this.received.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status))
  }

  /** The envelope of the last answer. */
  get code(): string | undefined {
    return /"error":\{"code":"(\w+)".*"request_id":"\w+"\}\}$/.exec(this.received)?.[1]
  }
}

/** In waves: a burst of connections larger than the queue of the listening socket is tried again only seconds later. */
async function open(count: number, each: (all: Sender[]) => void = () => {}): Promise<Sender[]> {
  const all: Sender[] = []
  while (all.length < count) {
    const wave = Array.from({ length: Math.min(200, count - all.length) }, () => new Sender())
    await Promise.all(wave.map(({ socket }) => once(socket, 'connect')))
    all.push(...wave)
    each(all)
  }
  return all
}

async function senders(count: number, begin: (sender: Sender) => void): Promise<Sender[]> {
  const all = await open(count)
  for (const sender of all) begin(sender)
  await Promise.all(all.map(({ ended }) => ended))
  return all
}

const headers = (length: number) =>
  `POST /users HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
const get = (path = '/users/u') => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.key}\r\n\r\n`

it('slow headers get 408, and the connection is closed', async () => {
  const all = await senders(SLOW, (sender) => {
    sender.socket.write('GET /users HTTP/1.1\r\nHost: x\r\nX-Slow: ')
    void sender.drip()
  })
  expect(new Set(all.map(({ code }) => code))).toEqual(new Set(['request_timeout']))
})

it('slow and stalled bodies get 408, and their slots are freed', async () => {
  const all = await senders(SLOW, (sender) => {
    sender.socket.write(`${headers(1_000)}{"id":"`)
    if (Math.random() < 0.5) void sender.drip()
  })
  expect(new Set(all.map(({ code }) => code))).toEqual(new Set(['request_timeout']))
})

it('100 KB of headers are refused with 431', async () => {
  const all = await senders(MANY, ({ socket }) =>
    socket.write(`GET /users HTTP/1.1\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`),
  )
  // Bytes that come after the refusal may reset the connection before it is read.
  expect(new Set(all.filter(({ received }) => received).map(({ code }) => code))).toEqual(
    new Set(['headers_too_large']),
  )
})

it('garbage after a valid request gets an answer, and ends the connection', async () => {
  const all = await senders(SOME, ({ socket }) => socket.write(`${get()}\x00\x01 garbage\r\n\r\n`))
  expect(new Set(all.map(({ code }) => code))).toEqual(new Set(['invalid_params']))
})

it('connections of half-closed clients are closed, with a complete or an incomplete request', async () => {
  await senders(SOME, ({ socket }) => socket.end(get()))
  const half = await senders(SOME, ({ socket }) => socket.end(`${headers(1_000)}{"id":"half`))
  expect(half.map(({ statuses }) => statuses).filter(([status]) => status !== 400)).toEqual([])
})

it('clients that request much and never read are disconnected', async () => {
  const attributes = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`a${index}`, 'x'.repeat(8_000)]))
  for (let count = 0; count < 20; count += 1) await call(server, 'POST', '/users', { id: `fat ${count}`, attributes })
  const all = await open(10)
  for (const { socket } of all) {
    socket.pause()
    socket.write(get('/users?limit=100').repeat(20))
  }
  // More than the normal client has. Seldom: every look is a rendering of all figures.
  await expect.poll(() => figure('usher_active_requests'), { interval: 200 }).toBeGreaterThan(1)
  await expect.poll(() => figure('usher_active_requests'), { interval: 500 }).toBeLessThanOrEqual(1)
  for (const { socket } of all) socket.resume()
  await Promise.all(all.map(({ ended }) => ended))
  for (const { statuses } of all) expect(statuses.length).toBeLessThan(20)
})

it('thousands of idle connections are closed without an answer, which a client would take for that of its next request', async () => {
  const files = Number(execFileSync('/bin/sh', ['-c', 'ulimit -n'], { encoding: 'utf8' })) || 10_000
  let most = 0
  const all = await open(Math.min(inject('isLong') ? 4_000 : 1_300, files - 500), (soFar) => {
    most = Math.max(most, soFar.filter(({ socket }) => !socket.readableEnded).length)
  })
  expect(most).toBeGreaterThan(Math.min(1_000, files - 1_000))
  await Promise.all(all.map(({ ended }) => ended))
  expect(all.filter(({ received }) => received !== '')).toEqual([])
})
