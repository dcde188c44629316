import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { findByPartOfName, findByPrefix } from '../../server/dashboard/objects/search-queries.ts'
import type { EnvironmentId, Queryable } from '../../server/database/database.ts'
import { groups, users } from '../../server/objects/tables.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { blocksRead, explained } from '../support/explained.ts'

const ENVIRONMENT = 7 as EnvironmentId
const ROWS = 20_000
/** Some pages of the index and one for each row that is found. */
const MOST_BLOCKS = 30

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
  const person = "'sPerson ' || n"
  await fill('users', {
    name_key: person,
    email_key: "'person' || n || '@example.com'",
    signed_up_at_key: "'z'",
    last_seen_at_key: "'z'",
  })
  await fill('groups', { name_key: person })
})
afterAll(() => test.close())

/** Rows that differ in what is looked for; `n` is the number of each. */
async function fill(table: 'users' | 'groups', keys: Record<string, string>): Promise<void> {
  await test.database.query(
    `insert into ${table} (environment_id, id, attributes, created_at, ${Object.keys(keys).join(', ')})
     select $1::int, 'u_' || n, '{}', now(), ${Object.values(keys).join(', ')}
       from generate_series(1, $2::int) as n`,
    [ENVIRONMENT, ROWS],
  )
  await test.database.query(`vacuum (analyze) ${table}`, [])
}

/** How many blocks each statement of this call has read. */
async function blocksOf(call: (db: Queryable) => Promise<unknown>): Promise<number[]> {
  return (await explained(test.database.pool, call)).map(blocksRead)
}

// A plan on Citus is that of the coordinator, and shows no blocks.
it.skipIf(inject('cluster').isDistributed).each([
  ['id', 'u_9999', undefined],
  ['id', 'zzz', undefined],
  ['email', 'person9', undefined],
  ['email', 'zzz', undefined],
  ['email', 'zzz', { key: '', id: '' }],
  ['name', 'sperson 9', { key: 'sperson 98', id: 'u_98' }],
  ['name', 'szzz', undefined],
] as const)('a search by %s for %s reads as much of its index as it finds', async (field, prefix, after) => {
  const blocks = await blocksOf(async (db) => {
    for (const table of field === 'email' ? [users] : [users, groups])
      await findByPrefix(db, ENVIRONMENT, table, field, prefix, after, 10)
  })
  expect(Math.max(...blocks)).toBeLessThan(MOST_BLOCKS)
})

it.skipIf(inject('cluster').isDistributed)(
  'a search for a part of a name reads the index of names alone, up to its bound',
  async () => {
    for (const table of [users, groups]) {
      const [all = 0, some = 0] = await blocksOf(async (db) => {
        for (const most of [ROWS, 1_000]) await findByPartOfName(db, ENVIRONMENT, table, 'nobody', most, 10)
      })
      expect(all).toBeLessThan(250)
      expect(some).toBeLessThan(all / 5)
    }
  },
)
