import { once } from 'node:events'
import { createServer as createHttpServer, type Server as HttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'

/** Webhook receivers for tests, on a free loopback port. Closing one also closes its connections. */
export interface Receiver {
  port: number
  /** Connections accepted so far. */
  connections: number
  close(): Promise<void>
}

export function httpReceiver(answer: RequestListener): Promise<Receiver> {
  return receive(createHttpServer(answer))
}

/** Says whatever it likes once the first bytes of a request have come in. */
export function rawReceiver(answer: (socket: Socket) => void): Promise<Receiver> {
  return receive(createTcpServer((socket) => socket.on('error', () => {}).once('data', () => answer(socket))))
}

export async function receive(server: Server | HttpServer): Promise<Receiver> {
  const open = new Set<Socket>()
  const receiver: Receiver = {
    port: 0,
    connections: 0,
    close: async () => {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  server.on('connection', (socket: Socket) => {
    receiver.connections++
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  receiver.port = (server.address() as AddressInfo).port
  return receiver
}
