import type pg from 'pg'
import { openSession } from '../server/database/session.ts'
import { ENVIRONMENT, INSERT_EVENTS } from './seed.ts'

/**
 * Fills tables with millions of rows by statements of PostgreSQL alone, without their indexes, which are made afterwards,
 * on two connections at the same time. Objects are copies of those that `seed` has stored, so that what the lists sort by
 * is right by construction.
 */

const SETTINGS = { maintenance_work_mem: '1GB', max_parallel_maintenance_workers: '0' }
const CONNECTIONS = 2
const ROWS_PER_STATEMENT = 500_000

/**
 * Users in addition to the `seeded` ones, which have the numbers 0, `step`, 2 × `step` and so on, until there are
 * `total`.
 */
export async function fillUsers(url: string, seeded: number, step: number, total: number): Promise<void> {
  await fillTable(url, 'users', total, COPY_USERS, [ENVIRONMENT, seeded, step], TAKE_SEEDED)
}

/**
 * Reads the users and their primary key once, so that they are in the memory of the system, as they are on a server that
 * has run for a while and as the few users of a small database are. Filling the events has displaced them.
 */
export async function readUsers(url: string): Promise<void> {
  const client = await openSession({ connectionString: url }, { max_parallel_workers_per_gather: '0' })
  try {
    await client.query('select sum(pg_column_size(attributes)) from users')
    await client.query('set enable_seqscan = off')
    await client.query('select count(id) from users where environment_id = $1::int', [ENVIRONMENT])
  } finally {
    await client.end()
  }
}

/** Events of the users from 0 to `userCount`, from 2025 on, with ids that grow with their time. */
export async function fillEvents(url: string, count: number, userCount: number): Promise<void> {
  await fillTable(url, 'events', count, INSERT_EVENTS, [ENVIRONMENT, userCount], 'select')
}

/**
 * `$1` and `$2` are the first and the last number of the rows that `insert` makes; `values` are those from `$3` on. Each
 * connection runs `prepare` first.
 */
async function fillTable(
  url: string,
  table: string,
  count: number,
  insert: string,
  values: readonly unknown[],
  prepare: string,
): Promise<void> {
  const clients: pg.Client[] = []
  try {
    for (let number = 0; number < CONNECTIONS; number += 1) {
      const client = await openSession({ connectionString: url }, SETTINGS)
      clients.push(client)
      await client.query(prepare)
    }
    const [first] = clients as [pg.Client]
    const { indexes, keys } = await dropIndexes(first, table)
    const starts = Array.from(
      { length: Math.ceil(count / ROWS_PER_STATEMENT) },
      (_, chunk) => chunk * ROWS_PER_STATEMENT,
    )
    const last = (start: number) => Math.min(start + ROWS_PER_STATEMENT, count) - 1
    await divide(clients, starts, (client, start) => client.query(insert, [start, last(start), ...values]))
    await divide(clients, indexes, (client, statement) => client.query(statement))
    for (const statement of keys) await first.query(statement)
    await first.query(`vacuum (analyze) ${table}`)
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}

/** Each connection takes the next one until there are no more. */
async function divide<Item>(
  clients: readonly pg.Client[],
  items: readonly Item[],
  work: (client: pg.Client, item: Item) => Promise<unknown>,
): Promise<void> {
  const left = items.values()
  await Promise.all(
    clients.map(async (client) => {
      for (const item of left) await work(client, item)
    }),
  )
}

/** Drops what slows down an insert: indexes, and the foreign keys that need them. Returns the statements that restore them. */
async function dropIndexes(client: pg.ClientBase, table: string): Promise<{ indexes: string[]; keys: string[] }> {
  const { rows } = await client.query<{ is_key: boolean; drop: string; restore: string }>(INDEXES_AND_KEYS, [table])
  for (const { drop } of rows) await client.query(drop)
  const restores = (isKey: boolean) => rows.filter((row) => row.is_key === isKey).map(({ restore }) => restore)
  return { indexes: restores(false), keys: restores(true).reverse() }
}

/** Foreign keys first, then primary keys, then other indexes. */
const INDEXES_AND_KEYS = `
  select turn < 3 as is_key, drop, restore from (
    select case contype when 'f' then 1 else 2 end as turn,
           format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
           format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as restore
      from pg_constraint
     where contype = 'f' and confrelid = $1::text::regclass or contype = 'p' and conrelid = $1::text::regclass
    union all
    select 3, format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
      from pg_index where indrelid = $1::text::regclass and not indisprimary) as made
   order by turn`

const TAKE_SEEDED = `
  create temporary table seeded as
  select attributes, name_key, signed_up_at_key, last_seen_at_key, email_key, row_number() over (order by id) - 1 as number
    from users`

/** In the order of their creation, as a server stores them: the users of a page are in neighbouring blocks. */
const COPY_USERS = `
  insert into users (environment_id, id, attributes, created_at, name_key, signed_up_at_key, last_seen_at_key, email_key)
  select $3::int, 'user_' || lpad(n::text, 8, '0'), attributes, timestamptz '2026-01-01 00:00Z' + n * interval '10 ms',
         name_key, signed_up_at_key, last_seen_at_key, email_key
    from generate_series($1::bigint, $2::bigint) as n
    join seeded on seeded.number = (n * 7919) % $4::bigint
   where n % $5::bigint <> 0 or n >= $4::bigint * $5::bigint
   order by n`
