import pg from 'pg'
import type { TestDatabase } from './database.ts'
import { uniqueName } from './postgres.ts'

/** Another application's tables, of our names where that hurts most. The first is that of Rails. */
const STATEMENTS = [
  'create table public.schema_migrations (version text primary key)',
  `insert into public.schema_migrations values ('20250101120000'), ('20250102120000')`,
  'create table public.accounts (id int primary key, owner text)',
  `insert into public.accounts values (1, 'somebody'), (2, 'somebody else')`,
  'create table public.users (id int primary key, email text)',
  `insert into public.users select n, n || '@example.com' from generate_series(1, 100) as n`,
  'create table public.webhook_notifications (id int, body text) partition by range (id)',
  'create table public.webhook_notifications_default partition of public.webhook_notifications default',
  `insert into public.webhook_notifications values (1, 'x')`,
  'create schema billing',
  'create table billing.events (id int primary key, amount numeric)',
  'insert into billing.events values (1, 9.99)',
]
const TABLES = [
  'public.schema_migrations',
  'public.accounts',
  'public.users',
  'public.webhook_notifications',
  'billing.events',
]

/** A database that another application lives in, and the address of an ordinary user who owns it. */
export interface SharedDatabase {
  url: string
  query(statement: string): Promise<Record<string, unknown>[]>
  /** Every row of the other application. */
  contents(): Promise<Record<string, unknown[]>>
  close(): Promise<void>
}

/** Gives an empty database to the other application. */
export async function shareDatabase(test: TestDatabase): Promise<SharedDatabase> {
  const role = uniqueName('other')
  const admin = new pg.Client(test.connection)
  await admin.connect()
  await admin.query(`create role ${role} login password 'secret'`)
  await admin.query(`alter database ${test.connection.database} owner to ${role}`)
  const { host, port, database } = test.connection
  const client = new pg.Client({ host, port, database, user: role, password: 'secret' } as pg.ClientConfig)
  await client.connect()
  for (const statement of STATEMENTS) await client.query(statement)
  const query = async (statement: string) => (await client.query(statement)).rows
  return {
    url: `postgres://${role}:secret@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`,
    query,
    contents: async () => {
      const found: Record<string, unknown[]> = {}
      for (const table of TABLES) found[table] = await query(`select to_jsonb(t) as row from ${table} as t order by 1`)
      return found
    },
    close: async () => {
      await client.end()
      await admin.query(`reassign owned by ${role} to current_user`)
      await admin.query(`drop role ${role}`)
      await admin.end()
    },
  }
}
