import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { expect, it } from 'vitest'
import { makeCertificate } from '../../test/support/certificates.ts'
import { closeWhenIdle } from './close-when-idle.ts'
import { SilentConnections } from './silent-connections.ts'

const { certPem: cert, keyPem: key } = makeCertificate({ names: ['usher.example'] })
const servers = {
  plain: () => createServer(),
  'with TLS': () => createTlsServer({ cert, key }),
}

/** A server that would wait for headers for ever. */
async function start(create: () => Server) {
  const server = create().on('request', (_request, response) => response.end('answered'))
  Object.assign(server, { headersTimeout: 0, requestTimeout: 0, keepAliveTimeout: 0 })
  const silent = new SilentConnections(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { server, silent, port: (server.address() as AddressInfo).port }
}

/** Until the server has accepted it. */
async function accepted(server: Server, event: string, socket: Socket): Promise<Socket> {
  await once(server, event)
  return socket
}

it.each(Object.keys(servers) as (keyof typeof servers)[])(
  'a connection that sends nothing does not hold up a stop: %s',
  async (kind) => {
    const { server, silent, port } = await start(servers[kind])
    const socket =
      kind === 'plain'
        ? await accepted(server, 'connection', connect(port, '127.0.0.1'))
        : await accepted(server, 'secureConnection', connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }))
    const ended = once(
      socket.on('error', () => {}),
      'close',
    )
    await closeWhenIdle(server, silent, () => false, 0)
    await ended
  },
)

it('a request that has begun is answered before the stop ends', async () => {
  const { server, silent, port } = await start(servers.plain)
  const accepts = once(server, 'connection')
  const client = connect(port, '127.0.0.1')
  client.write('GET / HTTP/1.1\r\n')
  const [socket] = (await accepts) as [Socket]
  await expect.poll(() => socket.bytesRead).toBeGreaterThan(0)
  const stopped = closeWhenIdle(server, silent, () => false, 0)
  client.end('host: x\r\nconnection: close\r\n\r\n')
  expect(await text(client)).toContain('answered')
  await stopped
})

it('a connection that was just opened still has time to send its request', async () => {
  const { server, silent, port } = await start(servers.plain)
  const client = await accepted(server, 'connection', connect(port, '127.0.0.1'))
  const stopped = closeWhenIdle(server, silent, () => false, 60_000)
  client.end('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  expect(await text(client)).toContain('answered')
  await stopped
})
