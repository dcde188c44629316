import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { type PipelineOptions, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { appliedVersions } from '../database/migrate.ts'
import { locateTables } from '../database/schema.ts'
import { openSession } from '../database/session.ts'
import { backedUpTables } from '../database/tables.ts'
import { nameNewFile, unfinishedName } from '../files/new-file.ts'
import { StartupError } from '../startup-error.ts'
import { VERSION } from '../version.ts'

export interface BackupSummary {
  rows: Record<string, number>
}

export interface BackupOptions {
  signal?: AbortSignal
  /** Replace a file of that name. */
  overwrite?: boolean
  /** How much was read so far, and of which table. */
  onProgress?(megabytes: number, table: string): void
}

const MEGABYTE = 1024 * 1024

/**
 * Writes one snapshot of everything to a file while the server runs: a gzipped text. It has a JSON line about the
 * backup, then for each table a JSON line and its rows in PostgreSQL's COPY format, closed by `\.`, then a last JSON
 * line. A file without that last line is incomplete. The file gets its name only when it is complete.
 */
export async function writeBackup(
  connection: pg.ClientConfig,
  file: string,
  { signal, overwrite = false, onProgress = () => {} }: BackupOptions = {},
): Promise<BackupSummary> {
  const client = await openSession(connection)
  const unfinished = unfinishedName(file)
  const rows: Record<string, number> = {}
  try {
    await client.query('begin isolation level repeatable read read only')
    const version = await findTables(client)
    await pipeline(
      Readable.from(contents(client, version, rows, onProgress)),
      createGzip({ level: 6 }),
      // Flushed before it gets its name: after a power failure a complete file must not be an empty one.
      createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }),
      { signal } as PipelineOptions,
    )
    await client.query('commit')
    if (overwrite) await rename(unfinished, file)
    else if (!(await nameNewFile(unfinished, file)))
      throw new StartupError(`${file} is there already: name another file, or add --overwrite.`)
    return { rows }
  } finally {
    await client.end().catch(() => {})
    await rm(unfinished, { force: true })
  }
}

async function* contents(
  client: pg.Client,
  schema: number,
  rows: Record<string, number>,
  onProgress: (megabytes: number, table: string) => void,
): AsyncGenerator<string | Buffer> {
  let bytes = 0
  const migrations = await appliedVersions(client)
  const created_at = new Date().toISOString()
  yield `${JSON.stringify({ usher_backup: 1, schema, migrations, version: VERSION, created_at })}\n`
  for (const table of await tablesOf(client)) {
    const columns = await columnsOf(client, table)
    yield `${JSON.stringify({ table, columns })}\n`
    const copy = client.query(copyTo(`copy (select ${columns.join(', ')} from ${table}) to stdout`))
    for await (const chunk of copy as AsyncIterable<Buffer>) {
      bytes += chunk.length
      onProgress(Math.floor(bytes / MEGABYTE), table)
      yield chunk
    }
    rows[table] = copy.rowCount ?? 0
    yield '\\.\n'
  }
  yield `${JSON.stringify({ end: true, rows })}\n`
}

/** A database of an older Usher is backed up as it is, before it is migrated: its tables may be in another schema. */
async function findTables(client: pg.Client): Promise<number> {
  const found = await locateTables(client)
  if (!found) throw new StartupError('The database is empty: there is nothing to back up.')
  await client.query(`set search_path to ${found.schema}`)
  return found.version
}

/** The tables that exist: an older version lacks some. */
async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select name from unnest($1::text[]) with ordinality as wanted (name, position)
      where to_regclass(name) is not null
      order by position`,
    [backedUpTables],
  )
  return rows.map(({ name }) => name)
}

async function columnsOf(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name
       from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      order by attnum`,
    [table],
  )
  return rows.map(({ name }) => `"${name}"`)
}
