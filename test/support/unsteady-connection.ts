import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { postgresProxy } from './postgres-proxy.ts'

/** Connections to PostgreSQL with random delays: some bytes arrive `lateMs` late. */
export async function unsteadyConnection(connection: ClientConfig, lateMs: number) {
  const { port, close } = await postgresProxy(
    () => connection,
    (client, postgres) => {
      let sent: Promise<unknown> = Promise.resolve()
      client.on('data', (chunk) => {
        sent = sent.then(() => sleep(Math.random() < 0.2 ? lateMs : 0)).then(() => postgres.write(chunk))
      })
      postgres.pipe(client)
    },
  )
  return { connection: { ...connection, host: '127.0.0.1', port }, close }
}
