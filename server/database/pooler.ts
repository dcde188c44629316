import type pg from 'pg'
import { StartupError } from '../startup-error.ts'
import { openSession, type Session } from './session.ts'

const REFUSAL =
  'DATABASE_URL leads to a connection pooler that hands out connections per transaction (PgBouncer: pool_mode = transaction or statement). Usher needs its sessions: set pool_mode = session for this database, or connect to PostgreSQL itself.'
const ONE_CONNECTION_MS = 10_000

/**
 * Refuses a pooler in transaction or statement mode: settings, prepared statements, LISTEN and advisory locks belong to a
 * session. A pooler in session mode works. `first` is a session of this connection.
 */
export async function refuseTransactionPooler(connection: pg.ClientConfig, first: Session): Promise<void> {
  const backend = await backendOf(first)
  // A pooler sends its own process number when a client connects.
  if (backend === processOf(first)) return
  if (await losesItsSession(connection, first, backend)) throw new StartupError(REFUSAL)
}

/** Whether an idle client loses its session: a second client gets it, or the first client gets another one. */
async function losesItsSession(connection: pg.ClientConfig, first: Session, backend: number): Promise<boolean> {
  const second = await openSecond(connection)
  try {
    await second.query('begin')
    return (await backendOf(second)) === backend || (await backendOf(first)) !== backend
  } catch {
    // Statement mode refuses transactions.
    return true
  } finally {
    await second.end().catch(() => {})
  }
}

async function openSecond(connection: pg.ClientConfig): Promise<Session> {
  try {
    return await openSession({ ...connection, query_timeout: ONE_CONNECTION_MS })
  } catch {
    throw new StartupError(
      'The connection pooler of DATABASE_URL gives out one connection only: raise its pool size above USHER_DATABASE_CONNECTIONS and 10 more for each node.',
    )
  }
}

async function backendOf(session: Session): Promise<number> {
  const { rows } = await session.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

function processOf(session: Session): number | undefined {
  return (session as unknown as { processID?: number }).processID
}
