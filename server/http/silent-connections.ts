import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Connections on which no byte of a request has arrived. Browsers open them in advance. For Node they are not idle, so
 * `closeIdleConnections` leaves them open until the deadline of the headers.
 */
export class SilentConnections {
  readonly #open = new Set<Socket>()

  constructor(server: Server) {
    const add = (socket: Socket) => void this.#open.add(socket.once('close', () => this.#open.delete(socket)))
    server.on('connection', add)
    // The bytes of a connection with TLS are those that are deciphered.
    server.on('secureConnection', add)
  }

  destroy(): void {
    for (const socket of this.#open) if (socket.bytesRead === 0) socket.destroy()
  }
}
