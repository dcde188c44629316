import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Who is at the other end of a connection. */
export interface Peer {
  isLoopback: boolean
  isTrusted: boolean
  /** On a private network whose requests may come over plain HTTP. */
  isPrivate: boolean
}

/** What is remembered of a connection from one request to the next: most clients send the same key again. */
export interface Connection {
  /** The answer to the latest request, until it is out. */
  latest: ServerResponse | undefined
  /** Whether nothing is read because requests wait. */
  isPaused: boolean
  peer: Peer | undefined
  /** The last Host that was looked at, and was valid. */
  validHost: string | undefined
  /** Belongs to the authenticator. */
  key: object | undefined
}

const connections = new WeakMap<Socket, Connection>()

export function connectionOf(socket: Socket): Connection {
  let connection = connections.get(socket)
  if (!connection) {
    connection = { latest: undefined, isPaused: false, peer: undefined, validHost: undefined, key: undefined }
    connections.set(socket, connection)
  }
  return connection
}
