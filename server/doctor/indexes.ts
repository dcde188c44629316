import type pg from 'pg'
import { withoutConcurrently } from '../database/concurrent-index.ts'
import { readMigrations } from '../database/migration-files.ts'
import { SCHEMA } from '../database/session.ts'
import { type Finding, ok, problem } from './finding.ts'

/** What a `reindex index concurrently` that was interrupted leaves beside the index. */
const LEFT = /_cc(?:new|old)\d*$/

/** Every list and look-up has its index; without one the answer is right but slow. */
export async function checkIndexes(client: pg.ClientBase): Promise<Finding> {
  const expected = expectedIndexes((await readMigrations()).flatMap(({ statements }) => statements))
  const partitioned = await findPartitioned(client)
  const { rows } = await client.query<{ name: string; valid: boolean }>(
    `select relname as name, indisvalid as valid
       from pg_index
       join pg_class on pg_class.oid = indexrelid
      where relnamespace = current_schema()::regnamespace`,
  )
  const valid = new Set(rows.filter((row) => row.valid).map(({ name }) => name))
  const invalid = rows.filter((row) => !row.valid).map(({ name }) => name)
  const missing = [...expected.keys()].filter((name) => !valid.has(name) && !invalid.includes(name))
  if (missing.length + invalid.length === 0) return ok('indexes', `all ${expected.size} are there and valid`)
  const finding = [
    missing.length > 0 ? `missing: ${missing.join(', ')}` : '',
    invalid.length > 0 ? `not valid: ${invalid.join(', ')}` : '',
  ]
  const repairs = [
    ...missing.map((name) => repairOf(expected.get(name) as string, partitioned)),
    ...invalid.map((name) => `${LEFT.test(name) ? 'drop' : 'reindex'} index concurrently ${SCHEMA}.${name}`),
  ]
  return problem('indexes', finding.filter(Boolean).join('; '), `Run in the database: ${repairs.join('; ')};`)
}

/** Without a lock that stops writes, where PostgreSQL can do that, and wherever the search path of the operator leads. */
function repairOf(statement: string, partitioned: ReadonlySet<string>): string {
  if (/^alter table/i.test(statement)) return statement.replace(/^alter table /i, `alter table ${SCHEMA}.`)
  const table = / on (\w+)/i.exec(statement)?.[1] ?? ''
  const index = partitioned.has(table) ? ' index ' : ' index concurrently '
  return statement.replace(/ index /i, index).replace(/ on (?=\w)/i, ` on ${SCHEMA}.`)
}

async function findPartitioned(client: pg.ClientBase): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'p' and relnamespace = current_schema()::regnamespace`,
  )
  return new Set(rows.map(({ name }) => name))
}

/** The indexes that the migrations leave behind, by name, each with the statement that makes it. */
export function expectedIndexes(statements: readonly string[]): Map<string, string> {
  const expected = new Map<string, string>()
  for (const statement of statements) {
    const sql = withoutConcurrently(statement.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim())
    const index = /^create (?:unique )?index (?:if not exists )?(\w+) on/i.exec(sql)?.[1]
    if (index) expected.set(index, sql)
    const table = /^create table (?:if not exists )?(\w+) \(.*primary key \(([^)]*)\)/i.exec(sql)
    if (table) expected.set(`${table[1]}_pkey`, `alter table ${table[1]} add primary key (${table[2]})`)
    const droppedIndex = /^drop index (?:if exists )?(\w+)/i.exec(sql)?.[1]
    if (droppedIndex) expected.delete(droppedIndex)
    const droppedTable = /^drop table (?:if exists )?(\w+)/i.exec(sql)?.[1]
    if (droppedTable) forgetTable(expected, droppedTable)
  }
  return expected
}

function forgetTable(expected: Map<string, string>, table: string): void {
  const ofTable = new RegExp(`^(?:create .* on|alter table) (?:only )?${table}\\b`, 'i')
  for (const [name, statement] of expected) if (ofTable.test(statement)) expected.delete(name)
}
