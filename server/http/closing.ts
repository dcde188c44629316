import type { Socket } from 'node:net'

/** How long a client may take to read the last answer of a connection. */
const LINGER_MS = 1_000

const closing = new WeakSet<Socket>()

/** Whether the last answer of the connection is being sent. Node reports failures repeatedly until the socket is destroyed. */
export function isClosing(socket: Socket): boolean {
  return closing.has(socket)
}

/**
 * Sends the last bytes of a connection and destroys it after a second, whether the client has closed its side or not. Bytes
 * that arrive meanwhile are dropped: unread bytes would make the system reset the connection, and the answer would be lost.
 */
export function closeWith(socket: Socket, bytes: string): void {
  closing.add(socket)
  socket.removeAllListeners('data')
  socket.on('data', () => {})
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
  socket.end(bytes)
}
