import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { type TableRules, tableNames, tables } from './tables.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

interface Found {
  name: string
  columns: string[]
  /** The columns of each index: `environment_id, id`. */
  indexes: string[]
  refersTo: string[]
}

/** Partitions belong to their parents. */
async function findTables(): Promise<Found[]> {
  return await test.database.query<Found & Record<string, unknown>>(
    `select relname as name,
            array(select attname::text from pg_attribute
                   where attrelid = found.oid and attnum > 0 and not attisdropped) as columns,
            array(select (select string_agg(pg_get_indexdef(indexrelid, place, true), ', ' order by place)
                            from generate_series(1, indnkeyatts) as place)
                    from pg_index where indrelid = found.oid) as indexes,
            array(select confrelid::regclass::text from pg_constraint
                   where conrelid = found.oid and contype = 'f') as "refersTo"
       from pg_class as found
      where relnamespace = 'usher'::regnamespace and relkind in ('r', 'p') and not relispartition`,
    [],
  )
}

const rulesOf = (name: string): TableRules => tables[name as keyof typeof tables]

it('every table of the schema is listed, and none that does not exist', async () => {
  expect((await findTables()).map(({ name }) => name).sort()).toEqual([...tableNames].sort())
})

it('a table comes after those that it refers to', async () => {
  for (const { name, refersTo } of await findTables())
    for (const other of refersTo)
      expect(tableNames.indexOf(name as never), `${name} refers to ${other}`).toBeGreaterThan(
        tableNames.indexOf(other as never),
      )
})

it('a table with a column for its environment has it as its key, and one for its account where it has no environment', async () => {
  for (const { name, columns } of await findTables()) {
    const key = (['environment_id', 'account_id'] as const).find((column) => columns.includes(column)) ?? null
    expect(rulesOf(name).key, name).toBe(key)
  }
})

it('every key and index of a table on the workers begins with the environment', async () => {
  // Deletes what is old in all environments at once.
  const exceptions = ['idempotency_keys created_at']
  const others = (await findTables())
    .filter(({ name }) => rulesOf(name).place === 'worker')
    .flatMap(({ name, indexes }) => indexes.map((columns) => ({ name, columns })))
    .filter(({ columns }) => !/^environment_id(,|$)/.test(columns))
  expect(others.map(({ name, columns }) => `${name} ${columns}`)).toEqual(exceptions)
})

it('only a table with an environment is on the workers, and only there are the rows about a user or a group', () => {
  for (const [name, { key, place, erasure }] of Object.entries<TableRules>(tables)) {
    if (place === 'worker') expect(key, name).toBe('environment_id')
    if (!['none', 'kept'].includes(erasure as string)) expect(place, name).toBe('worker')
  }
})

it('a table with a user or a group says what their deletion does with it, and an index finds what goes with it', async () => {
  for (const { name, columns, indexes } of await findTables()) {
    const { erasure } = rulesOf(name)
    if (columns.includes('user_id') || columns.includes('group_id')) expect(erasure, name).not.toBe('none')
    if (typeof erasure !== 'object') continue
    for (const column of Object.values(erasure).flat())
      expect(
        indexes.some((indexed) => `${indexed}, `.startsWith(`environment_id, ${column}, `)),
        `${name} has an index of environment_id, ${column}`,
      ).toBe(true)
  }
})

it('every owner is a folder of the server', async () => {
  const folders = await readdir(new URL('..', import.meta.url))
  for (const name of tableNames) expect(folders, name).toContain(tables[name].owner)
})
