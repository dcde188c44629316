import type pg from 'pg'
import { openSession } from '../server/database/session.ts'

/** Addresses of databases, and short visits to them. */

// By hand: an address with a Unix socket has no host, which URL does not take together with a user.
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
