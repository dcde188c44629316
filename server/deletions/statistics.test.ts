import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { refreshStatistics } from './statistics.ts'

let test: TestDatabase

beforeEach(async () => {
  test = await createTestDatabase()
  await test.database.pool.query('vacuum analyze pending_deletions')
})
afterEach(() => test.close())

async function addDeletions(count: number): Promise<void> {
  await test.database.pool.query(
    `insert into pending_deletions (environment_id, owner, owner_id, object_created_at, boundary, requested_at)
     select 1, 'user', gen_random_uuid(), now(), gen_random_uuid(), now() from generate_series(1, ${count})`,
  )
}

async function knownDeletions(): Promise<number> {
  const { rows } = await test.database.pool.query(
    `select reltuples::int as known from pg_class where oid = 'pending_deletions'::regclass`,
  )
  return rows[0].known
}

it.skipIf(inject('cluster').isDistributed)(
  'PostgreSQL learns of many deletions that were added to none, and of many more than there were',
  async () => {
    await addDeletions(500)
    await refreshStatistics(test.database)
    expect(await knownDeletions()).toBe(500)
    await addDeletions(1_500)
    await refreshStatistics(test.database)
    expect(await knownDeletions()).toBe(2_000)
  },
)

it('a few deletions are not worth new statistics', async () => {
  await addDeletions(20)
  await refreshStatistics(test.database)
  expect(await knownDeletions()).toBe(0)
})
