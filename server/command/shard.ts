import type pg from 'pg'
import { counted } from '../counted.ts'
import { distributeTables, undistributedTables } from '../database/distribute.ts'
import { isInUse } from '../database/in-use.ts'
import { appliedVersion, migrate } from '../database/migrate.ts'
import { lockSchema } from '../database/schema-lock.ts'
import { openSession } from '../database/session.ts'
import { bytesText, type TableSize, tableSizes } from '../database/table-sizes.ts'
import { citusVersion, readTopology } from '../database/topology.ts'
import type { Config } from '../settings/config.ts'
import { StartupError } from '../startup-error.ts'
import { command, UsageError } from './command.ts'
import { ProgressLine } from './progress-line.ts'
import { alignColumns } from './text-table.ts'

/**
 * The first is a cautious estimate. The second is for an empty table with eight shards: 0.1 to 0.5 s were measured.
 */
const BYTES_PER_SECOND = 10_000_000
const SECONDS_PER_TABLE = 0.3

export const shard = command({
  summary: 'Distribute the tables over the workers of a Citus cluster, while no server runs',
  parameters: [],
  options: {
    'dry-run': { type: 'boolean', description: 'say what would be done and how long writes would wait' },
    shards: { type: 'string', value: 'N', description: 'so many shards for each table (citus.shard_count)' },
  },
  async run({ config, options }) {
    const shards = shardCount(options.shards)
    const isDryRun = options['dry-run'] === true
    const client = await openCoordinator(config(), isDryRun)
    try {
      if (isDryRun) return describePlan(await planOf(client))
      // A server that starts meanwhile waits, and then finds the tables distributed.
      await lockSchema(client)
      if (await isInUse(client)) throw new StartupError('A server is using this database: stop it first.')
      const plan = await planOf(client)
      return plan.length === 0 ? describePlan(plan) : await distribute(client, plan.length, shards)
    } finally {
      await client.end().catch(() => {})
    }
  },
})

async function distribute(client: pg.ClientBase, count: number, shards: number | undefined) {
  const line = new ProgressLine()
  const started = performance.now()
  let done = 0
  const distributed = await distributeTables(client, {
    shards,
    onTable: (table) => line.show({ done: done++, unit: 'tables', part: done / count, note: table }),
  }).finally(() => line.end())
  await readTopology(client)
  const seconds = Math.ceil((performance.now() - started) / 1_000)
  return {
    text: `${counted(count, 'table')} ${count === 1 ? 'is' : 'are'} distributed by environment_id; it took ${seconds} s. Start the servers again.`,
    json: { distributed, seconds },
  }
}

function shardCount(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text)
  throw new UsageError(`--shards ${text} is not a whole number from 1 to 9999.`)
}

/** The tables have to be there and up to date. */
async function openCoordinator({ databaseUrl }: Config, isDryRun: boolean): Promise<pg.Client> {
  if (databaseUrl === undefined)
    throw new StartupError(
      'The embedded PostgreSQL has no workers: set DATABASE_URL to the coordinator of a Citus cluster.',
    )
  const connection = { connectionString: databaseUrl }
  const client = await openSession(connection)
  try {
    if ((await citusVersion(client)) === undefined)
      throw new StartupError(
        'The database has no Citus: run "create extension citus" on the coordinator and on each worker.',
      )
    const { rowCount } = await client.query('select from pg_dist_node where groupid > 0 and isactive')
    if (rowCount === 0)
      throw new StartupError(`The coordinator knows no workers: run "select citus_add_node('HOST', 5432)" for each.`)
    if (isDryRun) await refuseEmpty(client)
    else await migrate(connection)
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

/** A dry run changes nothing, so it makes no tables either. */
export async function refuseEmpty(client: pg.ClientBase): Promise<void> {
  if ((await appliedVersion(client)) === 0)
    throw new StartupError(
      'The database holds nothing of Usher yet, so there is nothing to plan. "npx usher shard" without --dry-run makes the tables and distributes them.',
    )
}

/** The tables that are left, with what they hold. */
async function planOf(client: pg.ClientBase): Promise<TableSize[]> {
  const { rows } = await client.query<TableSize>(tableSizes(false))
  const bytes = new Map(rows.map((row) => [row.name, row.bytes]))
  return (await undistributedTables(client)).map((name) => ({ name, bytes: bytes.get(name) ?? 0 }))
}

/** What a dry run prints, and a run that finds nothing to do. */
export function describePlan(tables: readonly TableSize[]) {
  const seconds = Math.ceil(tables.reduce((sum, { bytes }) => sum + bytes / BYTES_PER_SECOND + SECONDS_PER_TABLE, 0))
  const text =
    tables.length === 0
      ? 'All tables are distributed already: there is nothing to do.'
      : `${alignColumns(tables.map(({ name, bytes }) => [name, bytesText(bytes)]))}\n\nDistributing them takes about ${seconds} s. No server may run during that time.`
  return { text, json: { tables, seconds } }
}
