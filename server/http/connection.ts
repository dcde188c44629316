import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Peer {
  isLoopback: boolean
  isTrusted: boolean
  /** On a private network that may use plain HTTP. */
  isPrivate: boolean
}

/** The state of a connection between requests: most clients send the same key again. */
export interface ClientConnection {
  /** The answer to the latest request, until it is sent. */
  latest: ServerResponse | undefined
  /** Whether nothing is read because requests wait. */
  isPaused: boolean
  peer: Peer | undefined
  /** The last valid Host header. */
  validHost: string | undefined
  /** Set by the authenticator. */
  key: object | undefined
}

const connections = new WeakMap<Socket, ClientConnection>()

export function connectionOf(socket: Socket): ClientConnection {
  let connection = connections.get(socket)
  if (!connection) {
    connection = { latest: undefined, isPaused: false, peer: undefined, validHost: undefined, key: undefined }
    connections.set(socket, connection)
  }
  return connection
}
