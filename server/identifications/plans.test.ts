import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { explained, rowsRead } from '../../test/support/explained.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'
import { ofOne, type Part } from '../database/parts.ts'
import { type Identified, insertIdentified, upsertLast } from './queries.ts'

/** One large environment and many small ones: the average of the statistics is wrong for it. */

const LARGE = 1 as EnvironmentId
const SMALL = 100 as EnvironmentId
let test: TestDatabase

const insertUsers = `
  insert into users (environment_id, id, attributes, created_at, name_key, signed_up_at_key, last_seen_at_key)
  select environment_id, 'u' || n, '{}', now(), '', '', ''
    from generate_series($1::int, $2::int) as environment_id, generate_series(1, $3::int) as n`

beforeAll(async () => {
  test = await createTestDatabase()
  await test.database.query(insertUsers, [LARGE, LARGE, 3_000])
  await test.database.query(insertUsers, [SMALL, SMALL + 800, 4])
  await test.database.query('analyze users', [])
})
afterAll(() => test.close())

function identified(count: number): Identified[] {
  const user = { day: '2026-01-31', origin: '', proof: 'unsigned', ms: 0 } as const
  return Array.from({ length: count }, (_, index) => ({ ...user, rank: index, userId: `u${index + 1}` }))
}

async function mostRead(store: (db: Queryable, parts: Part<Identified>[]) => Promise<void>, parts: Part<Identified>[]) {
  return Math.max(...(await explained(test.database.pool, (db) => store(db, parts))).map(rowsRead))
}

const several = [...ofOne(LARGE, identified(2)), ...ofOne(SMALL, identified(1))]

it.each([
  ['one environment', ofOne(LARGE, identified(3))],
  ['several', several],
])('what is stored of identified users reads these and no others: %s', async (_, parts) => {
  expect(await mostRead(insertIdentified, parts)).toBe(3)
})

it.each([
  ['one environment', ofOne(LARGE, identified(1))],
  ['several', several],
])('what is stored of the last one reads that and no others: %s', async (_, parts) => {
  const last = parts.map(({ environmentId, items }) => ({ environmentId, items: items.slice(0, 1) }))
  expect(await mostRead(upsertLast, last)).toBe(last.length)
})
