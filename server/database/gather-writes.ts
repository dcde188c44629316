import { Socket } from 'node:net'

/**
 * A socket that sends all writes of one turn of the event loop together. A batch is four or five pipelined
 * statements of five messages each, and the driver writes every message by itself: gathered, they cost one system call
 * instead of five. Measured with 64 connections: 24 µs of CPU per request went into these writes before.
 */
export function gatheringSocket(): Socket {
  const socket = new Socket()
  const write = socket.write.bind(socket) as (...parameters: unknown[]) => boolean
  let waiting: Uint8Array[] = []
  const send = () => {
    if (waiting.length === 0) return
    const chunks = waiting
    waiting = []
    // Closed meanwhile: the driver fails the statements under way.
    if (!socket.writable) return
    write(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
  }
  const gather = (chunk: Uint8Array | string, ...rest: unknown[]): boolean => {
    if (typeof chunk === 'string' || rest.length > 0) {
      send()
      return write(chunk, ...rest)
    }
    if (waiting.length === 0) process.nextTick(send)
    waiting.push(chunk)
    return true
  }
  // After `connect`, which sets the ordinary `write` again.
  socket.once('connect', () => {
    socket.write = gather as Socket['write']
  })
  return socket
}
