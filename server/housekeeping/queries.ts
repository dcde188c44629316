import { advisoryLocks } from '../database/advisory-locks.ts'
import type { EnvironmentId, Queryable, Transaction } from '../database/database.ts'

/** Includes those that are being deleted, and 0, under which requests without a known key are counted. */
export async function listAllEnvironments(db: Queryable): Promise<EnvironmentId[]> {
  const rows = await db.query<{ id: EnvironmentId }>('select id from environments union all select 0', [])
  return rows.map(({ id }) => id)
}

/** Environments that were deleted long enough ago that no node still caches their keys. */
export async function listDeletedEnvironments(db: Queryable, settledMs: number): Promise<EnvironmentId[]> {
  const rows = await db.query<{ id: EnvironmentId }>(
    `select id from environments where deleted_at < now() - $1::float8 * interval '1 millisecond' order by id`,
    [settledMs],
  )
  return rows.map(({ id }) => id)
}

/** Whether this node may sweep the environment: one node at a time does. */
export async function lockSweep(db: Transaction, environmentId: EnvironmentId): Promise<boolean> {
  const [row] = await db.query<{ locked: boolean }>('select pg_try_advisory_xact_lock($1::int, $2::int) as locked', [
    advisoryLocks.environmentSweep,
    environmentId,
  ])
  return row?.locked === true
}

/** A table, and the columns of its primary key behind the environment, each with its type. */
export interface SweptTable {
  name: string
  key: readonly { name: string; type: string }[]
}

/** A table whose primary key does not begin with the environment has no key here. */
export async function findKeys(db: Queryable, tables: readonly string[]): Promise<SweptTable[]> {
  const rows = await db.query<{ table: string; name: string; type: string; place: number }>(
    `select relname as "table", attname as name, format_type(atttypid, atttypmod) as type, place::int
       from pg_index
       join pg_class on pg_class.oid = indrelid
       cross join lateral unnest(indkey::int2[]) with ordinality as key (attnum, place)
       join pg_attribute on attrelid = indrelid and pg_attribute.attnum = key.attnum
      where indisprimary and relnamespace = 'usher'::regnamespace and relname = any($1::text[])
      order by indrelid, place`,
    [tables],
  )
  const columns = Map.groupBy(rows, ({ table }) => table)
  return tables.map((name) => {
    const [first, ...key] = columns.get(name) ?? []
    return { name, key: first?.name === 'environment_id' ? key : [] }
  })
}

/**
 * Deletes a portion of the rows that an environment has in a table, in the order of its key, after that of the portion
 * before: from the start it would read past all rows that were deleted since the last vacuum. Returns the key of the last
 * row, or undefined when there was none.
 */
export async function deletePortion(
  db: Transaction,
  environmentId: EnvironmentId,
  { name: table, key }: SweptTable,
  limit: number,
  after: readonly string[] = [],
): Promise<string[] | undefined> {
  const names = key.map(({ name }) => name)
  const values = key.map(({ type }, index) => `$${index + 3}::${type}`)
  const start = after.length > 0 ? `and (${names}) > (${values})` : ''
  const [row] = await db.query<{ last: string[] }>(
    `with gone as (
       delete from ${table}
        where environment_id = $1::int and (tableoid, ctid) in (
          select tableoid, ctid from ${table}
           where environment_id = $1::int ${start}
           ${names.length > 0 ? `order by ${names}` : ''}
           limit $2::int)
       returning ${['environment_id', ...names]})
     select array[${names.map((name) => `${name}::text`)}]::text[] as last
       from gone
      order by ${['environment_id', ...names].map((name) => `${name} desc`)}
      limit 1`,
    [environmentId, limit, ...after],
  )
  return row?.last
}

export async function deleteEnvironmentRow(db: Transaction, environmentId: EnvironmentId): Promise<void> {
  await db.query('delete from environments where id = $1::int and deleted_at is not null', [environmentId])
}
