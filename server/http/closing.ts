import type { Socket } from 'node:net'

/** How long a client may take to read the last answer of a connection. */
const LINGER_MS = 1_000

const closing = new WeakSet<Socket>()

/** Whether the last answer of the connection is on its way. Node reports its failures again until it is destroyed. */
export function isClosing(socket: Socket): boolean {
  return closing.has(socket)
}

/**
 * Sends the last bytes of a connection and destroys it after a second, whether the client has closed its side or not. What
 * comes in meanwhile is dropped: unread bytes would make the system reset the connection, and the answer would be lost.
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
