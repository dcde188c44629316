import { connect, createServer, type Socket } from 'node:net'
import type { ClientConfig } from 'pg'
import { serverAddress } from './unsteady-connection.ts'

/** An address that leads to one PostgreSQL after the other, as a virtual address or a name does at a failover. */
export async function movableAddress(first: ClientConfig) {
  let connection = first
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const postgres = connect(serverAddress(connection))
    client.pipe(postgres).pipe(client)
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
    url: `postgres://${first.user}:${first.password}@127.0.0.1:${port}/${first.database}`,
    moveTo: (another: ClientConfig) => {
      connection = another
      cut()
    },
    close: () => {
      server.close()
      cut()
    },
  }
}
