import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { raiseRevision } from '../../server/accounts/queries.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { Client } from '../support/requests.ts'
import { createKeys } from '../support/service.ts'

const MIB = 1024 * 1024

async function startWith(maxBodyMemory: number, maxAnswerMemory = 256 * MIB): Promise<TestServer> {
  const server = await startTestServer({ config: { maxBodyMemory, maxAnswerMemory } })
  onTestFinished(async () => await server.close())
  return server
}

const headersOf = ({ key }: TestServer) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })

it('bodies over the memory for all of them are 503, and the memory is free again when their senders have gone', async () => {
  const server = await startWith(2 * MIB)
  const bytes = MIB - 1_000
  const statuses: unknown[] = []
  // Bodies that never end. Not all of them fit.
  const senders = [1, 2, 3].map(() => {
    const headers = { ...headersOf(server), 'content-length': bytes + 1 }
    const sender = request(`${server.url}/users`, { method: 'POST', headers }).on('error', () => {})
    sender.on('response', ({ statusCode, headers }) => statuses.push([statusCode, headers['retry-after']]))
    sender.write(Buffer.alloc(bytes, ' '))
    return sender
  })
  await expect.poll(() => statuses.length).toBeGreaterThan(0)
  expect(statuses[0]).toEqual([503, '5'])
  expect((await server.client.get('/users')).status).toBe(200)
  for (const sender of senders) sender.destroy()
  const user = {
    id: 'u',
    attributes: Object.fromEntries([...'abcdefghijklmnopqrstuvwxyz'].map((name) => [name, 'x'.repeat(8_000)])),
  }
  await expect.poll(async () => (await server.client.post('/users', user)).status).toBe(200)
})

it('a body that one account sends slowly leaves room for those of the others', async () => {
  const server = await startWith(MIB)
  const [other] = await createKeys(server.database, 'self_hosted', ['Production'])
  await raiseRevision(server.database)
  const neighbour = new Client(server.url, other as string)
  onTestFinished(async () => await neighbour.close())
  const texts = Object.fromEntries(Array.from({ length: 24 }, (_, index) => [`a${index}`, 'x'.repeat(8_000)]))
  const user = { id: 'u', attributes: texts }
  // It never ends. Together with this user it is more than the share of the account, and less than the memory for all.
  const bytes = 600_000
  const stall = () => {
    const headers = { ...headersOf(server), 'content-length': bytes + 1 }
    const sender = request(`${server.url}/users`, { method: 'POST', headers }).on('error', () => {})
    onTestFinished(() => void sender.destroy())
    // The user was there first.
    sender.on('response', stall)
    sender.write(Buffer.alloc(bytes, ' '))
  }
  stall()
  await expect.poll(async () => (await server.client.post('/users', user)).status).toBe(503)
  expect((await neighbour.post('/users', user)).status).toBe(200)
})

it('a compressed body counts with what it is decompressed to', async () => {
  const server = await startWith(MIB / 2)
  const send = async (bytes: number) => {
    const body = gzipSync(Buffer.concat([Buffer.from('{"id":"'), Buffer.alloc(bytes, 'x'), Buffer.from('"}')]))
    const headers = { ...headersOf(server), 'content-encoding': 'gzip' }
    return (await fetch(`${server.url}/users`, { method: 'POST', headers, body })).status
  }
  expect([await send(MIB - 9), await send(MIB / 4), await send(10)]).toEqual([503, 400, 200])
})

it('a large body of very many values counts with the memory that they take', async () => {
  const server = await startWith(16 * MIB)
  const created_at = Array.from({ length: 300_000 }, () => ({}))
  expect((await server.client.post('/users', { id: 'u', created_at })).status).toBe(503)
  expect((await server.client.post('/users', { id: 'u', created_at: [] })).status).toBe(200)
})

it('a compressed body whose sender has gone leaves no bytes behind', async () => {
  const server = await startWith(4 * MIB)
  const body = gzipSync(Buffer.alloc(3 * MIB, ' '))
  const headers = { ...headersOf(server), 'content-encoding': 'gzip', 'content-length': String(body.length) }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const { hostname, port } = new URL(server.url)
  // Each is gone before its body is decompressed, which takes many turns.
  for (let sent = 0; sent < 10; sent += 1) {
    const sender = connect(Number(port), hostname).on('error', () => {})
    await once(sender, 'connect')
    sender.write(`POST /batch HTTP/1.1\r\nhost: ${hostname}\r\n${lines.join('')}\r\n`)
    await new Promise((sent) => sender.write(body, sent))
    sender.destroy()
  }
  const send = async () => (await fetch(`${server.url}/batch`, { method: 'POST', headers, body })).status
  await expect.poll(send).toBe(400)
  expect(await send()).toBe(400)
})

it('reads over the memory for answers that are not read are 503, writes and short answers are not', async () => {
  const server = await startWith(256 * MIB, 36 * MIB)
  const { client, url } = server
  const texts = Object.fromEntries(Array.from({ length: 31 }, (_, index) => [`a${index}`, 'x'.repeat(8_000)]))
  const users = Array.from({ length: 48 }, (_, index) => ({ id: `u${index}`, attributes: texts }))
  await Promise.all(users.map((user) => client.post('/users', user)))
  const { hostname, port } = new URL(url)
  // The answer of 12 MB is more than the system keeps for a connection. A second one is more than the share of 18.
  const stalled = connect(Number(port), hostname).on('error', () => {})
  onTestFinished(() => void stalled.destroy())
  const { authorization } = headersOf(server)
  stalled.write(`GET /users?limit=100 HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: ${authorization}\r\n\r\n`)
  await once(stalled, 'readable')

  const refused = await client.get('/users?limit=100')
  expect([refused.status, refused.headers['retry-after'], refused.body.error.code]).toEqual([503, '5', 'overloaded'])
  expect((await client.get('/users/u1')).status).toBe(200)
  expect((await client.post('/users', users[0])).status).toBe(200)
  expect((await client.get('/events')).status).toBe(200)

  stalled.destroy()
  await expect.poll(async () => (await client.get('/users?limit=100')).status).toBe(200)
})
