import type pg from 'pg'
import { advisoryLocks } from '../database/advisory-locks.ts'
import { isTimeout } from '../database/errors.ts'
import { openSession, type Session } from '../database/session.ts'
import { StartupError } from '../startup-error.ts'
import type { Source } from './source.ts'

/**
 * PostgreSQL needs a moment to notice that a process was killed, and without keepalives hours to notice that its machine is
 * gone. With these it takes a minute.
 */
const SETTINGS = {
  lock_timeout: '1s',
  tcp_keepalives_idle: '30',
  tcp_keepalives_interval: '10',
  tcp_keepalives_count: '3',
}

/**
 * Imports a file while no other process does, into whatever environment: they would write the same file of refused lines, and
 * one would remove what the other has written. What can be read only once is never imported twice.
 */
export async function withImportLock<T>(
  connection: pg.ClientConfig,
  { identity }: Pick<Source, 'identity'>,
  work: () => Promise<T>,
): Promise<T> {
  if (identity === undefined) return await work()
  const session = await openSession(connection, SETTINGS)
  try {
    await take(session, Buffer.from(identity, 'hex').readInt32BE())
    return await work()
  } finally {
    // It ends the lock too.
    await session.end().catch(() => {})
  }
}

async function take(session: Session, key: number): Promise<void> {
  try {
    await session.query('select pg_advisory_lock($1::int, $2::int)', [advisoryLocks.import, key])
  } catch (error) {
    throw isTimeout(error) ? importedElsewhere() : error
  }
}

export function importedElsewhere(): StartupError {
  return new StartupError('The same file is being imported by another process: let that one finish.')
}
