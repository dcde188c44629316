import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { ResponseSink } from './response-sink.ts'

async function startServer(use: (sink: ResponseSink) => void, { silenceMs } = { silenceMs: 60_000 }): Promise<number> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    use(new ResponseSink(response, silenceMs))
  })
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

it('texts arrive as they were written, and nothing after the end', async () => {
  const port = await startServer((sink) => {
    for (const part of ['data: 1\n\n', 'data: ä 🎉\n\n', ': still here\n\n']) sink.write(part)
    sink.end()
    sink.write('late')
  })
  const response = await fetch(`http://127.0.0.1:${port}/`)
  expect(await response.text()).toBe('data: 1\n\ndata: ä 🎉\n\n: still here\n\n')
})

it('the connection can be used again after the end', async () => {
  const port = await startServer((sink) => {
    sink.write('a')
    sink.end()
  })
  const socket = connect(port, '127.0.0.1')
  const request = (header: string) => `GET / HTTP/1.1\r\nhost: a\r\nconnection: ${header}\r\n\r\n`
  socket.write(request('keep-alive') + request('close'))
  const bodies = (await text(socket)).split('HTTP/1.1 200 OK').map((answer) => answer.split('\r\n\r\n')[1])
  expect(bodies).toEqual([undefined, '1\r\na\r\n0', '1\r\na\r\n0'])
})

it('a client of HTTP/1.0 gets no frames', async () => {
  const port = await startServer((sink) => {
    sink.write('a')
    sink.write('b')
    sink.end()
  })
  const socket = connect(port, '127.0.0.1')
  socket.write('GET / HTTP/1.0\r\n\r\n')
  expect((await text(socket)).split('\r\n\r\n')[1]).toBe('ab')
})

it('a client that does not read the end is disconnected', async () => {
  let closed = () => {}
  const isClosed = new Promise<void>((resolve) => {
    closed = resolve
  })
  const use = (sink: ResponseSink) => {
    sink.onClose(closed)
    sink.write('a'.repeat(50_000_000))
    sink.end()
  }
  const port = await startServer(use, { silenceMs: 50 })
  const socket = connect(port, '127.0.0.1').pause()
  onTestFinished(() => void socket.destroy())
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  await isClosed
})
