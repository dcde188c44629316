import type pg from 'pg'
import { openSession } from '../server/database/session.ts'

/** URLs of databases, and short connections to them. */

// Not parsed by `URL`: it refuses a user without a host, which the address of a Unix socket has.
const ADDRESS = /^(postgres(?:ql)?:\/\/[^/?]*)(?:\/([^?]*))?(\?.*)?$/

export function databaseOf(address: string): string {
  return ADDRESS.exec(address)?.[2] || 'postgres'
}

export function withDatabaseName(address: string, database: string): string {
  const [, server, , query = ''] = ADDRESS.exec(address) ?? []
  return `${server}/${database}${query}`
}

export async function withClient<T>(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await openSession(connection)
  return await work(client).finally(() => client.end())
}
