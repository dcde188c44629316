import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { StartupError } from '../../startup-error.ts'
import { connect, type EmbeddedConnection } from './connection.ts'

/** Advisory locks: PostgreSQL releases them when their process dies. */
const SERVER = '7305810001'
const IN_USE = '7305810002'

/** After a `kill -9` the session of the old server lives on until PostgreSQL has noticed. */
const LOCK_WAIT_MS = 3_000

/** For the one server of a data folder; its locks last as long as the returned connection. */
export async function takeFolder(connection: EmbeddedConnection, dataDir: string): Promise<Client> {
  const client = await connect(connection, `usher server ${process.pid}`)
  for (const end = performance.now() + LOCK_WAIT_MS; ; await delay(50)) {
    const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${SERVER}) as taken`)
    if (rows[0]?.taken) break
    if (performance.now() < end) continue
    const owner = await ownerPid(client)
    await client.end()
    throw new StartupError(
      `the data folder ${dataDir} is in use by another Usher server (pid ${owner}): ` +
        'stop that one, or choose another folder with USHER_DATA_DIR',
    )
  }
  await client.query(`select pg_advisory_lock_shared(${IN_USE})`)
  return client
}

/** For a command, which may work beside a server and other commands. */
export async function shareFolder(connection: EmbeddedConnection): Promise<Client> {
  const client = await connect(connection, `usher command ${process.pid}`)
  await client.query(`select pg_advisory_lock_shared(${IN_USE})`)
  return client
}

/** Whether this is the last user. If so, new users wait until this connection ends. */
export async function isLastUser(client: Client): Promise<boolean> {
  await client.query(`select pg_advisory_unlock_shared(${IN_USE})`)
  const { rows } = await client.query<{ last: boolean }>(`select pg_try_advisory_lock(${IN_USE}) as last`)
  return rows[0]?.last ?? false
}

async function ownerPid(client: Client): Promise<string> {
  const { rows } = await client.query<{ application_name: string }>(
    `select application_name
       from pg_locks
       join pg_stat_activity using (pid)
      where locktype = 'advisory' and granted
        and (classid::bigint << 32) + objid::bigint = ${SERVER}`,
  )
  return rows[0]?.application_name.replace('usher server ', '') ?? 'unknown'
}
