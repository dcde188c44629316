import { Client } from 'pg'
import { StartupError } from '../../startup-error.ts'
import type { DataFolder } from './data-folder.ts'
import { DATABASE, USER } from './new-cluster.ts'
import type { Postmaster } from './postmaster.ts'

export interface EmbeddedConnection {
  /** The folder of the Unix socket. */
  host: string
  port: number
  user: string
  password: string
  database: string
}

/** `silent` when nobody listens, `busy` while it recovers, starts or shuts down. */
export type PingResult = 'ready' | 'busy' | 'silent'

export function connectionTo(
  dataFolder: Pick<DataFolder, 'record'>,
  { socketFolder, port }: Postmaster,
): EmbeddedConnection {
  return { host: socketFolder, port, user: USER, password: dataFolder.record.password, database: DATABASE }
}

export async function connect(connection: EmbeddedConnection, applicationName = 'usher'): Promise<Client> {
  const client = new Client({
    ...connection,
    application_name: applicationName,
    connectionTimeoutMillis: 2_000,
  })
  // Callers wait for `end`. Without an error listener a broken connection would end the process.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

export async function ping(dataFolder: DataFolder, postmaster: Postmaster): Promise<PingResult> {
  try {
    const client = await connect({ ...connectionTo(dataFolder, postmaster), database: 'postgres' })
    await client.end()
    return 'ready'
  } catch (error) {
    const code = (error as { code?: string }).code
    if (code === '28P01') {
      throw new StartupError(
        `the password in ${dataFolder.dataDir}/postgres.json is not that of the database: restore this file from a backup`,
      )
    }
    return code === '57P03' ? 'busy' : 'silent'
  }
}
