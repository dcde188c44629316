import type pg from 'pg'
import { StartupError } from '../startup-error.ts'
import { awaitSchema } from './schema-lock.ts'
import { openSession } from './session.ts'
import { distributedTables } from './tables.ts'

/** How Citus stores a table. */
export interface DistributedState {
  name: string
  /** By which column; null for a reference table or a table without shards. */
  column: string | null
  colocation: number
  /** Citus copies each statement to several workers: such copies can differ after a crash. */
  isCopied: boolean
}

export interface Topology {
  /** Whether the tables are spread over the workers of a Citus cluster. */
  isDistributed: boolean
}

export const PLAIN: Topology = { isDistributed: false }
const OLDEST_CITUS = 13

/**
 * Finds out how the tables are stored, and refuses an unsafe set-up. Before the first migration there are no tables. While
 * the tables are being distributed it waits.
 */
export async function findTopology(connection: pg.ClientConfig): Promise<Topology> {
  const client = await openSession(connection)
  try {
    await awaitSchema(client)
    return await readTopology(client)
  } finally {
    await client.end()
  }
}

/**
 * Called once `isInUse` sees this server, so `usher shard` refuses to run from here on. The tables may have been
 * distributed between `findTopology` and this call.
 */
export async function confirmTopology(connection: pg.ClientConfig, { isDistributed }: Topology): Promise<void> {
  if (isDistributed || !(await findTopology(connection)).isDistributed) return
  throw new StartupError('The tables were distributed while the server was starting: start it again.')
}

export async function readTopology(client: pg.ClientBase): Promise<Topology> {
  const citus = await citusVersion(client)
  if (citus === undefined) return PLAIN
  const states = await readStates(client)
  if (states.length === 0) return PLAIN
  if (Number.parseInt(citus, 10) < OLDEST_CITUS)
    throw new StartupError(`The database has Citus ${citus}; Usher needs ${OLDEST_CITUS} or newer.`)
  const { rows } = await client.query<{ group: number }>('select groupid as group from pg_dist_local_group')
  if (rows[0]?.group !== 0)
    throw new StartupError('DATABASE_URL leads to a worker of the Citus cluster: connect to its coordinator.')
  const reason = unsafeReason(states)
  if (reason !== undefined) throw new StartupError(reason)
  return { isDistributed: true }
}

/** Whether some of the tables are distributed. */
export async function isShardedDatabase(client: pg.ClientBase): Promise<boolean> {
  return (await citusVersion(client)) !== undefined && (await readStates(client)).length > 0
}

/** Undefined when the database has no Citus. */
export async function citusVersion(client: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ version: string }>(
    `select extversion as version from pg_extension where extname = 'citus'`,
  )
  return rows[0]?.version
}

/** Our tables that Citus manages. Partitions belong to their parents. */
export async function readStates(client: pg.ClientBase): Promise<DistributedState[]> {
  const { rows } = await client.query<DistributedState>(
    `select relname as name, colocationid as colocation, repmodel = 'c' as "isCopied",
            case when partmethod = 'h' then column_to_column_name(logicalrelid, partkey) end as column
       from pg_dist_partition
       join pg_class on pg_class.oid = logicalrelid
      where relnamespace = current_schema()::regnamespace and not relispartition
      order by relname`,
  )
  return rows
}

/** Why these tables must not be used as they are, or undefined. */
export function unsafeReason(states: readonly DistributedState[]): string | undefined {
  const byName = new Map(states.map((state) => [state.name, state]))
  const missing = distributedTables.filter((name) => !byName.has(name))
  if (missing.length > 0)
    return `Some tables are distributed and some are not (${missing.join(', ')}): run "npx usher shard" to distribute them all.`
  const other = states.find(({ name }) => !(distributedTables as readonly string[]).includes(name))
  if (other)
    return `The table ${other.name} is distributed, and must not be: run "select undistribute_table('${other.name}')".`
  const wrong = states.find(({ column }) => column !== 'environment_id')
  if (wrong)
    return `The table ${wrong.name} is not distributed by environment_id: undistribute it, and run "npx usher shard".`
  if (new Set(states.map(({ colocation }) => colocation)).size > 1)
    return 'The distributed tables are not colocated: undistribute them, and run "npx usher shard".'
  const copied = states.find(({ isCopied }) => isCopied)
  if (copied)
    return `Citus copies the statements of ${copied.name} to several workers, and such copies can differ: use citus.shard_replication_factor = 1, and replicate each worker by PostgreSQL.`
  return undefined
}
