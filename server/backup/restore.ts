import { type PipelineOptions, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { countShards, distributeTables } from '../database/distribute.ts'
import { sqlState } from '../database/errors.ts'
import { isInUse } from '../database/in-use.ts'
import { applyMigrations } from '../database/migrate.ts'
import { readMigrations } from '../database/migration-files.ts'
import { queryableOf } from '../database/queryable.ts'
import { ensureSchema, locateTables } from '../database/schema.ts'
import { lockSchema } from '../database/schema-lock.ts'
import { openSession } from '../database/session.ts'
import { backedUpTables, tableNames } from '../database/tables.ts'
import { isShardedDatabase } from '../database/topology.ts'
import { StartupError } from '../startup-error.ts'
import { addPartition, dayOf, missingPartitions, PARTITIONED, type Partitioned } from '../webhooks/partitions.ts'
import { pauseDeliveries } from '../webhooks/pause.ts'
import { KEPT_DAYS, spanDaysOf } from '../webhooks/retention.ts'
import { broken, type Lines, linesOf, nextJson, readHeader, rowsOf } from './read.ts'
import type { BackupSummary } from './write.ts'

const DEPENDED_ON = '2BP01'

/** All is one transaction. */
const asIs = { transact: (work: () => Promise<void>) => work() }

export interface RestoreOptions {
  signal?: AbortSignal
  /** Whether webhooks are sent from the restored data, as from the original. */
  deliver?: boolean
  /** How much of the file was read so far, in megabytes and as a share. */
  onProgress?(megabytes: number, part: number): void
}

/**
 * Restores a backup completely or not at all. Refuses a database that a server uses, and one that has data unless it may be
 * replaced.
 */
export async function restoreBackup(
  connection: pg.ClientConfig,
  file: string,
  replace: boolean,
  { signal, deliver = false, onProgress }: RestoreOptions = {},
): Promise<BackupSummary> {
  const input = linesOf(file, onProgress)
  const { migrations, createdAt } = await readHeader(input, file)
  const client = await openSession(connection)
  try {
    // A server that starts meanwhile waits for this lock, and then finds the restored data.
    await lockSchema(client)
    await refuseUsed(client, replace)
    const wasSharded = await isShardedDatabase(client)
    const shards = wasSharded ? await countShards(client) : undefined
    // One transaction from the empty schema to the last row: a truncated file changes nothing.
    await client.query('begin')
    await ensureSchema(client)
    await dropTables(client)
    await applyMigrations(client, asIs, migrations)
    await createPartitions(client, createdAt, wasSharded)
    const rows = await readTables(client, input, file, signal)
    await setSequences(client)
    await applyMigrations(client, asIs)
    if (!deliver) await pauseDeliveries(queryableOf(client), 'it was restored from a backup, and may be a copy')
    await client.query('commit')
    if (wasSharded) await distributeTables(client, { shards })
    return { rows }
  } finally {
    await client.end().catch(() => {})
  }
}

async function refuseUsed(client: pg.Client, replace: boolean): Promise<void> {
  if (await isInUse(client)) throw new StartupError('A server is using this database: stop it first.')
  const found = await locateTables(client)
  await refuseNewer(found?.version ?? 0)
  if (replace) return
  const accounts = found ? await client.query(`select from ${found.schema}.accounts limit 1`) : { rows: [] }
  if (accounts.rows.length > 0)
    throw new StartupError('The database has data: add --replace to remove all of it and put the backup in its place.')
}

/** A newer version may have tables that this code does not know. */
async function refuseNewer(version: number): Promise<void> {
  const latest = (await readMigrations()).at(-1)?.version ?? 0
  if (version > latest)
    throw new StartupError(
      `The database has schema version ${version}, and this Usher knows versions up to ${latest}: restore into an empty data folder or database, or install a newer Usher.`,
    )
}

/** Drops our own tables only. Objects of others that depend on them are not dropped. */
async function dropTables(client: pg.Client): Promise<void> {
  try {
    await client.query(`drop table if exists ${tableNames.join(', ')}`)
  } catch (error) {
    if (sqlState(error) !== DEPENDED_ON) throw error
    throw new StartupError(
      `Something that is not of Usher depends on its tables: remove it first. (${(error as Error).message})`,
    )
  }
}

async function readTables(
  client: pg.Client,
  input: Lines,
  file: string,
  signal: AbortSignal | undefined,
): Promise<Record<string, number>> {
  const rows: Record<string, number> = {}
  for (;;) {
    const { table, columns, end } = await nextJson(input, file)
    if (end === true) return rows
    if (
      !(backedUpTables as readonly unknown[]).includes(table) ||
      !Array.isArray(columns) ||
      !columns.every((name) => /^"\w+"$/.test(name))
    )
      throw broken(file)
    await client.query(`truncate ${table} cascade`)
    const copy = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`))
    await pipeline(Readable.from(rowsOf(input, file)), copy, { signal } as PipelineOptions)
    rows[table as string] = copy.rowCount ?? 0
  }
}

/** Before the rows are inserted: rows of a day without a partition would go into the default one. */
async function createPartitions(client: pg.Client, createdAt: number, isSharded: boolean): Promise<void> {
  const last = dayOf(createdAt)
  const days = { from: last - KEPT_DAYS, to: last + 2 }
  for (const table of await partitionedTables(client)) {
    for (const partition of missingPartitions([], days, spanDaysOf(isSharded)))
      await addPartition(client, table, partition)
  }
}

/** A backup of an early version has no partitioned tables. */
async function partitionedTables(client: pg.Client): Promise<Partitioned[]> {
  const { rows } = await client.query<{ name: Partitioned }>(
    'select name from unnest($1::text[]) as name where to_regclass(name) is not null',
    [PARTITIONED],
  )
  return rows.map(({ name }) => name)
}

/** The sequences of tables with a numeric id continue after the highest restored number. */
async function setSequences(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string }>(
    `select relname as table
       from pg_class join pg_attribute on attrelid = pg_class.oid
      where relnamespace = current_schema()::regnamespace and attname = 'id' and attidentity <> ''`,
  )
  for (const { table } of rows) {
    await client.query(
      `select setval(pg_get_serial_sequence('${table}', 'id'), coalesce(max(id), 0) + 1, false) from ${table}`,
    )
  }
}
