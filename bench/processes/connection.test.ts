import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { Connection } from './connection.ts'

let server: Server
afterEach(() => void server.close())

/** A server that answers each request with the given bytes, in the given pieces. */
async function answering(pieces: readonly string[]): Promise<number> {
  const answer = async (socket: Socket) => {
    for (const piece of pieces) {
      await new Promise((resolve) => socket.write(piece, resolve))
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  server = createServer((socket) => void socket.setNoDelay().on('data', () => void answer(socket)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

test.each([
  ['whole', ['HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello']],
  ['with a head in two pieces', ['HTTP/1.1 200 OK\r\ncontent-le', 'ngth: 5\r\n\r\nhello']],
  ['with a body in pieces', ['HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nh', 'el', 'lo']],
  ['larger than its buffer', ['HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n', 'x'.repeat(100_000)]],
])('sees one response each, %s', async (_, pieces) => {
  const port = await answering(pieces)
  const statuses = await new Promise<number[]>((resolve, reject) => {
    const seen: number[] = []
    const connection = new Connection(port, (status) => {
      seen.push(status)
      if (seen.length < 3) return connection.send('GET / HTTP/1.1\r\n\r\n')
      connection.close()
      resolve(seen)
    })
    connection.open().then(() => connection.send('GET / HTTP/1.1\r\n\r\n'), reject)
  })
  expect(statuses).toEqual([200, 200, 200])
})
