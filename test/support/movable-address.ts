import type { ClientConfig } from 'pg'
import { postgresProxy } from './postgres-proxy.ts'

/** An address that leads to one PostgreSQL after the other, as a virtual address or a name does at a failover. */
export async function movableAddress(first: ClientConfig) {
  let connection = first
  const { port, cut, close } = await postgresProxy(
    () => connection,
    (client, postgres) => client.pipe(postgres).pipe(client),
  )
  return {
    url: `postgres://${first.user}:${first.password}@127.0.0.1:${port}/${first.database}`,
    moveTo: (another: ClientConfig) => {
      connection = another
      cut()
    },
    close,
  }
}
