import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { startTestServer, type TestServer } from '../support/client.ts'

const MIB = 1024 * 1024

async function startWith(maxBodyMemory: number): Promise<TestServer> {
  const server = await startTestServer({ config: { maxBodyMemory } })
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

it('a compressed body counts with what it is decompressed to', async () => {
  const server = await startWith(MIB / 2)
  const send = async (bytes: number) => {
    const body = gzipSync(Buffer.concat([Buffer.from('{"id":"'), Buffer.alloc(bytes, 'x'), Buffer.from('"}')]))
    const headers = { ...headersOf(server), 'content-encoding': 'gzip' }
    return (await fetch(`${server.url}/users`, { method: 'POST', headers, body })).status
  }
  expect([await send(MIB - 9), await send(MIB / 4), await send(10)]).toEqual([503, 400, 200])
})
