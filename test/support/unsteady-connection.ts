import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'

/** Connections to PostgreSQL with random delays: some bytes arrive `lateMs` late. */
export async function unsteadyConnection(connection: ClientConfig, lateMs: number) {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const postgres = connect(serverAddress(connection))
    let sent: Promise<unknown> = Promise.resolve()
    client.on('data', (chunk) => {
      sent = sent.then(() => sleep(Math.random() < 0.2 ? lateMs : 0)).then(() => postgres.write(chunk))
    })
    postgres.pipe(client)
    for (const socket of [client, postgres]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    client.on('close', () => postgres.destroy())
    postgres.on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    connection: { ...connection, host: '127.0.0.1', port },
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** A socket in the file system, or a port. */
export function serverAddress({ host, port }: ClientConfig): NetConnectOpts {
  return host?.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host: host as string, port: port as number }
}
