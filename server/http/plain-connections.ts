import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import type { Server as TlsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { Timeouts } from './timeouts.ts'

/** The first byte of every TLS connection: a record that is part of a handshake. */
const TLS_HANDSHAKE = 0x16

/**
 * Hands connections that do not use TLS on the HTTPS port to a plain server, which answers with an error. They get one
 * request each.
 */
export function handOverPlainConnections(server: TlsServer, plain: HttpServer, timeouts: Timeouts): void {
  const [startTls] = server.listeners('connection') as ((this: TlsServer, socket: Socket) => void)[]
  for (const event of ['request', 'checkContinue', 'checkExpectation']) plain.prependListener(event, closeAfterwards)
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const ignore = () => {}
    const timer = setTimeout(() => socket.destroy(), timeouts.headersMs)
    socket.on('error', ignore)
    socket.once('close', () => clearTimeout(timer))
    socket.once('readable', () => {
      clearTimeout(timer)
      const first = socket.read() as Buffer | null
      if (first === null) return void socket.destroy()
      socket.unshift(first)
      socket.off('error', ignore)
      if (first[0] === TLS_HANDSHAKE) startTls?.call(server, socket)
      else startPlain(plain, socket, timeouts)
    })
  })
}

function closeAfterwards(_request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false
}

/** A server that does not listen does not check how long its requests take. */
function startPlain(plain: HttpServer, socket: Socket, { requestMs }: Timeouts): void {
  const timer = setTimeout(() => socket.destroy(), requestMs)
  socket.once('close', () => clearTimeout(timer))
  // A client may close its side and still wait for the answer.
  socket.allowHalfOpen = true
  plain.emit('connection', socket)
}
