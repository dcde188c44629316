import type pg from 'pg'
import { StartupError } from '../startup-error.ts'
import { inClientTransaction } from './client-transaction.ts'
import { runAlone, withoutConcurrently } from './concurrent-index.ts'
import { distributeTables } from './distribute.ts'
import { isInUse } from './in-use.ts'
import { withLockRetries } from './lock-retries.ts'
import { FIRST_RELEASE, type Migration, readMigrations } from './migration-files.ts'
import { ensureSchema, locateTables } from './schema.ts'
import { lockSchema } from './schema-lock.ts'
import { openSession } from './session.ts'
import { isShardedDatabase } from './topology.ts'

/** After these, a version that knows the first release can go on: they only add (test/migrations.test.ts). */
const leastCompatibleOf = ({ version }: Migration) => Math.min(version, FIRST_RELEASE)

export interface MigratedVersions {
  /** All migrations up to this one were there before. */
  from: number
  to: number
}

/** Migrates the database to this version, each migration in a transaction. Nodes that start together wait for each other. */
export async function migrate(
  connection: pg.ClientConfig,
  migrations?: readonly Migration[],
): Promise<MigratedVersions> {
  const client = await openSession(connection)
  try {
    return await migrateHere(client, migrations)
  } finally {
    await client.end()
  }
}

/** The same in this session. Until it ends, no other process changes or distributes the tables. */
export async function migrateHere(client: pg.ClientBase, migrations?: readonly Migration[]): Promise<MigratedVersions> {
  await lockSchema(client)
  await refuseBesideEarlier(client)
  const runner: MigrationRunner = {
    transact: (work) => withLockRetries(client, () => inClientTransaction(client, work)),
    alone: (statement) => runAlone(client, statement),
  }
  const versions = await applyMigrations(client, runner, migrations)
  // The tables that a migration has made on a cluster are empty: distributing them takes a moment.
  if (versions.from > 0 && versions.from < versions.to && (await isShardedDatabase(client)))
    await distributeTables(client)
  return versions
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

/** How migrations are run: each as one piece, or, when it says so, statement by statement without a transaction. */
export interface MigrationRunner {
  transact(work: () => Promise<void>): Promise<void>
  /** Absent when everything is one transaction: indexes are then not made concurrently. */
  alone?(statement: string): Promise<void>
}

/** Applies what is missing of these migrations, or of all of this code. */
export async function applyMigrations(
  client: pg.ClientBase,
  { transact, alone }: MigrationRunner,
  given?: readonly Migration[],
): Promise<MigratedVersions> {
  const migrations = given ?? (await readMigrations())
  await transact(() => ensureSchema(client))
  await client.query(
    'create table if not exists schema_migrations (version int primary key, name text not null, applied_at timestamptz not null)',
  )
  // The oldest schema version whose code can use the tables after this migration; null when it was applied by older code.
  if (!(await hasLeastCompatible(client)))
    await transact(async () => {
      await client.query('alter table schema_migrations add column if not exists least_compatible int')
    })
  const latest = await appliedVersion(client)
  const to = migrations.at(-1)?.version ?? 0
  if (latest > to && !(await isUsableBy(client, to))) {
    throw new StartupError(
      `The database has schema version ${latest}, and this Usher knows versions up to ${to}: install the Usher that wrote it, or a newer one.`,
    )
  }
  const missing = await missingMigrations(client, migrations)
  const from = Math.min(latest, versionBefore(migrations, missing[0]))
  for (const migration of missing)
    if (migration.isTransaction || !alone) await transact(() => applyWhole(client, migration))
    else await applyAlone(client, migration, alone)
  return { from, to: Math.max(latest, to) }
}

async function applyWhole(client: pg.ClientBase, migration: Migration): Promise<void> {
  for (const statement of migration.statements) await client.query(withoutConcurrently(statement))
  await recordMigration(client, migration)
}

async function applyAlone(
  client: pg.ClientBase,
  migration: Migration,
  alone: (statement: string) => Promise<void>,
): Promise<void> {
  for (const statement of migration.statements) await alone(statement)
  await recordMigration(client, migration)
}

async function recordMigration(client: pg.ClientBase, migration: Migration): Promise<void> {
  await client.query(
    'insert into schema_migrations (version, name, applied_at, least_compatible) values ($1, $2, now(), $3)',
    [migration.version, migration.name, leastCompatibleOf(migration)],
  )
}

async function hasLeastCompatible(client: pg.ClientBase): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'least_compatible'`,
  )
  return rowCount === 1
}

/** Whether code that knows this version can use the tables after all later migrations. */
export async function isUsableBy(client: pg.ClientBase, known: number): Promise<boolean> {
  const { rowCount } = await client.query(
    'select from schema_migrations where version > $1::int and coalesce(least_compatible > $1::int, true) limit 1',
    [known],
  )
  return rowCount === 0
}

/** There may be gaps: numbers are assigned when work on a migration begins, and migrations are released in another order. */
export async function missingMigrations(
  client: pg.ClientBase,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  const applied = new Set(await appliedVersions(client))
  return migrations.filter(({ version }) => !applied.has(version))
}

function versionBefore(migrations: readonly Migration[], migration: Migration | undefined): number {
  if (!migration) return Number.POSITIVE_INFINITY
  return migrations[migrations.indexOf(migration) - 1]?.version ?? 0
}

export async function appliedVersions(client: pg.ClientBase): Promise<number[]> {
  const { rows } = await client.query<{ version: number }>('select version from schema_migrations order by version')
  return rows.map(({ version }) => version)
}

/** 0 when the database holds no tables of ours. */
export async function appliedVersion(client: pg.ClientBase): Promise<number> {
  return (await locateTables(client))?.version ?? 0
}
