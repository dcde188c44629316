import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'
import { StartupError } from '../startup-error.ts'
import { distributeTables } from './distribute.ts'
import { isInUse } from './in-use.ts'
import { ensureSchema, locateTables } from './schema.ts'
import { lockSchema } from './schema-lock.ts'
import { openSession } from './session.ts'
import { isShardedDatabase } from './topology.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)
/**
 * The schema of the first release. From here on every migration leaves the version before it able to serve
 * (test/migrations.test.ts), so nodes are upgraded one by one. Before it tables moved and columns changed.
 */
export const FIRST_RELEASE = 40

export interface Migration {
  version: number
  name: string
  statements: string[]
}

/** The migrations of this code, in order. They only ever go forward. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort()
  return await Promise.all(
    names.map(async (name) => ({
      version: Number.parseInt(name, 10),
      name: name.replace(/\.sql$/, ''),
      statements: split(await readFile(new URL(name, FOLDER), 'utf8')),
    })),
  )
}

/** Migrates the database to this version, each migration in a transaction. Nodes that start together wait for each other. */
export async function migrate(connection: pg.ClientConfig): Promise<{ from: number; to: number }> {
  const client = await openSession(connection)
  try {
    await lockSchema(client)
    await refuseBesideEarlier(client)
    const versions = await applyMigrations(client, (work) => inTransaction(client, work))
    // The tables that a migration has made on a cluster are empty: distributing them takes a moment.
    if (versions.from > 0 && versions.from < versions.to && (await isShardedDatabase(client)))
      await distributeTables(client)
    return versions
  } finally {
    await client.end()
  }
}

/** A running node of an earlier version would fail when the tables change. */
async function refuseBesideEarlier(client: pg.ClientBase): Promise<void> {
  const version = await appliedVersion(client)
  if (version === 0 || version >= FIRST_RELEASE) return
  if (await isInUse(client))
    throw new StartupError(
      `The database has schema version ${version}, and a server of that version is using it: stop every node of it, then start this one. From schema version ${FIRST_RELEASE} on nodes can be upgraded one by one.`,
    )
}

/** Applies what is missing, up to a version (the latest unless given); `transact` runs each migration as one piece. */
export async function applyMigrations(
  client: pg.ClientBase,
  transact: (work: () => Promise<void>) => Promise<void>,
  upTo = Number.POSITIVE_INFINITY,
): Promise<{ from: number; to: number }> {
  const migrations = (await readMigrations()).filter(({ version }) => version <= upTo)
  await transact(() => ensureSchema(client))
  await client.query(
    'create table if not exists schema_migrations (version int primary key, name text not null, applied_at timestamptz not null)',
  )
  const from = await appliedVersion(client)
  const to = migrations.at(-1)?.version ?? 0
  if (from > to) {
    throw new StartupError(
      `The database has schema version ${from}, and this Usher knows versions up to ${to}: install the Usher that wrote it, or a newer one.`,
    )
  }
  const applied = await appliedVersions(client)
  for (const { version, name, statements } of migrations.filter((one) => !applied.has(one.version))) {
    await transact(async () => {
      for (const statement of statements) await client.query(statement)
      await client.query('insert into schema_migrations (version, name, applied_at) values ($1, $2, now())', [
        version,
        name,
      ])
    })
  }
  return { from, to }
}

/** There may be gaps: numbers are assigned when work on a migration begins, and migrations are released in another order. */
async function appliedVersions(client: pg.ClientBase): Promise<ReadonlySet<number>> {
  const { rows } = await client.query<{ version: number }>('select version from schema_migrations')
  return new Set(rows.map(({ version }) => version))
}

/** 0 when the database holds no tables of ours. */
export async function appliedVersion(client: pg.ClientBase): Promise<number> {
  return (await locateTables(client))?.version ?? 0
}

async function inTransaction(client: pg.ClientBase, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    // A lost connection has rolled back; the first error says why.
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** One statement per query, as a sharded PostgreSQL wants it: a statement ends with a semicolon at the end of a line. */
function split(sql: string): string[] {
  return sql
    .split(/;[ \t]*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement.replace(/^--.*$/gm, '').trim() !== '')
}
