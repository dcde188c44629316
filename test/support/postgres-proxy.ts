import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import type { ClientConfig } from 'pg'

/**
 * A port in front of PostgreSQL, of the one that `target` names for each connection. `join` passes the bytes on in both
 * directions.
 */
export async function postgresProxy(target: () => ClientConfig, join: (client: Socket, postgres: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const postgres = connect(serverAddress(target()))
    join(client, postgres)
    for (const socket of [client, postgres]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        postgres.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port,
    cut,
    close: () => {
      server.close()
      cut()
    },
  }
}

/** A socket in the file system, or a port. */
export function serverAddress({ host, port }: ClientConfig): NetConnectOpts {
  return host?.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host: host as string, port: port as number }
}
