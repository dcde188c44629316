import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A client that never closes its side of the connection, whatever the server does. `leave` is for the end of the test. */
export class RawClient {
  readonly socket: Socket
  received = ''
  /** The server has closed its side. */
  isEnded = false

  private constructor(socket: Socket) {
    this.socket = socket
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      this.received += text
    })
    const end = () => {
      this.isEnded = true
    }
    socket.once('end', end).once('close', end)
    // A server that refuses the request may reset the connection while we are still sending.
    socket.on('error', () => {})
  }

  static async connect(port: number, host = '127.0.0.1'): Promise<RawClient> {
    const socket = connect({ port, host, allowHalfOpen: true })
    await once(socket, 'connect')
    return new RawClient(socket)
  }

  write(bytes: string | Buffer): void {
    this.socket.write(bytes)
  }

  get statuses(): number[] {
    return [...this.received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  }

  /** The code of the last answer, if that is a complete failure. */
  get code(): string | undefined {
    return /"error":\{"code":"(\w+)".*"request_id":"\w+"\}\}$/.exec(this.received)?.[1]
  }

  leave(): void {
    this.socket.destroy()
  }
}
