import type pg from 'pg'
import type { Log } from '../log.ts'
import type { Config } from '../settings/config.ts'
import { StartupError } from '../startup-error.ts'
import { Database, type DatabaseOptions } from './database.ts'
import {
  type BorrowOptions,
  borrowEmbedded,
  type EmbeddedDatabase,
  findEmbedded,
  startEmbedded,
} from './embedded/index.ts'
import { connectionProblem } from './errors.ts'
import { refuseTransactionPooler } from './pooler.ts'
import { openSession, type Session } from './session.ts'
import type { Topology } from './topology.ts'

const OLDEST_MAJOR = 15
const STATEMENT_TIMEOUT_MS = 10_000
const LOCK_TIMEOUT_MS = 4_000

/** The PostgreSQL of this installation, embedded or external. */
export interface PostgresServer {
  connection: pg.ClientConfig
  /** Stops an embedded PostgreSQL that was started here. An external one keeps running. */
  stop(): Promise<void>
}

/** For the server: starts the embedded PostgreSQL and locks its folder. */
export async function startPostgres(config: Config, log: Log, signal?: AbortSignal): Promise<PostgresServer> {
  return await open(config, () => startEmbedded(config.dataDir, log, signal))
}

/** For commands: works with or without a running server. A database is created only if `create` is true. */
export async function borrowPostgres(config: Config, log: Log, options: BorrowOptions = {}): Promise<PostgresServer> {
  return await open(config, () => borrowEmbedded(config.dataDir, log, options))
}

/** For a diagnosis, which only reads: undefined when an embedded PostgreSQL does not run. */
export async function findPostgres(config: Config): Promise<pg.ClientConfig | undefined> {
  if (config.databaseUrl === undefined) return await findEmbedded(config.dataDir)
  return (await open(config, () => Promise.reject(new Error('not embedded')))).connection
}

async function open({ databaseUrl }: Config, embed: () => Promise<EmbeddedDatabase>): Promise<PostgresServer> {
  if (databaseUrl === undefined) {
    const { connection, stop } = await embed()
    return { connection, stop }
  }
  const connection = { connectionString: databaseUrl }
  await checkServer(connection)
  return { connection, stop: async () => {} }
}

export function connect(
  connection: pg.ClientConfig,
  connections: number,
  { isDistributed }: Topology,
  settings: DatabaseOptions['settings'] = {},
): Database {
  return new Database({
    connection,
    connections,
    settings,
    isDistributed,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    lockTimeoutMs: LOCK_TIMEOUT_MS,
  })
}

/** Refuses what cannot be reached, is too old, or is a pooler that takes sessions apart. */
async function checkServer(connection: pg.ClientConfig): Promise<void> {
  const session = await openSession(connection).catch((error: unknown) => {
    throw new StartupError(
      `The database of DATABASE_URL cannot be used: ${connectionProblem(error)}. Check the address, the user and the password.`,
    )
  })
  try {
    const major = await readMajor(session)
    if (major < OLDEST_MAJOR)
      throw new StartupError(
        `The database of DATABASE_URL is PostgreSQL ${major}; Usher needs ${OLDEST_MAJOR} or newer.`,
      )
    await refuseTransactionPooler(connection, session)
  } finally {
    await session.end().catch(() => {})
  }
}

async function readMajor(session: Session): Promise<number> {
  const { rows } = await session.query<{ server_version_num: string }>('show server_version_num')
  return Math.floor(Number(rows[0]?.server_version_num) / 10_000)
}
