import type pg from 'pg'
import { SCHEMA } from './session.ts'

/** Versions up to 4 kept their tables in the first schema of the user's search path, usually `public`. */

interface EarlierMigration {
  version: number
  name: string
  tables: readonly string[]
}

const EARLIER: readonly EarlierMigration[] = [
  { version: 1, name: '0001_control', tables: ['accounts', 'environments', 'api_keys', 'control_revision'] },
  {
    version: 2,
    name: '0002_objects',
    tables: [
      'users',
      'groups',
      'group_memberships',
      'events',
      'attribute_definitions',
      'event_definitions',
      'event_attribute_uses',
    ],
  },
  {
    version: 3,
    name: '0003_webhooks',
    tables: ['webhook_subscriptions', 'webhook_notifications', 'webhook_deliveries', 'webhook_attempts'],
  },
  { version: 4, name: '0004_rate_limits', tables: ['rate_limits'] },
]

export interface Location {
  schema: string
  version: number
}

/** The tables of an earlier version, recognised by a list of migrations that no other application has. */
export async function locateEarlier(client: pg.ClientBase): Promise<Location | undefined> {
  const schema = await schemaOfDefaultPath(client)
  if (schema === undefined) return undefined
  const { rows } = await client.query<{ row: string }>(
    `select to_jsonb(migration)::text as row from ${schema}.schema_migrations as migration limit 100`,
  )
  const applied = rows.map(({ row }) => JSON.parse(row) as Record<string, unknown>)
  const isApplied = ({ version, name }: EarlierMigration) =>
    applied.some((row) => row.version === version && row.name === name)
  const version = applied.length
  const areOurs = version > 0 && version <= EARLIER.length && EARLIER.slice(0, version).every(isApplied)
  return areOurs ? { schema, version } : undefined
}

/** The schema in which the default search path of this user finds `schema_migrations`. */
async function schemaOfDefaultPath(client: pg.ClientBase): Promise<string | undefined> {
  await client.query('set search_path to default')
  const { rows } = await client.query<{ schema: string }>(
    `select relnamespace::regnamespace::text as schema from pg_class where oid = to_regclass('schema_migrations')`,
  )
  await client.query(`set search_path to ${SCHEMA}`)
  return rows[0]?.schema
}

/**
 * The list of migrations is copied. The original gets one more row, and stays: an earlier version that is started on this
 * database finds a schema that is newer than itself and refuses it, instead of making new tables.
 */
export async function moveTables(client: pg.ClientBase, { schema, version }: Location): Promise<void> {
  for (const table of EARLIER.slice(0, version).flatMap(({ tables }) => tables))
    await move(client, `${schema}.${table}`)
  await client.query(`create table schema_migrations (like ${schema}.schema_migrations including all)`)
  await client.query(`insert into schema_migrations select * from ${schema}.schema_migrations`)
  await client.query(`insert into ${schema}.schema_migrations values (5, '0005_schema', now())`)
}

async function move(client: pg.ClientBase, table: string): Promise<void> {
  const { rows: partitions } = await client.query<{ name: string }>(
    'select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass',
    [table],
  )
  for (const { name } of partitions) await client.query(`alter table ${name} set schema ${SCHEMA}`)
  await client.query(`alter table ${table} set schema ${SCHEMA}`)
}
