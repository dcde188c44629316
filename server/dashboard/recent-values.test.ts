import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import type { EnvironmentId } from '../database/database.ts'
import { leastIdAt } from '../ids.ts'
import { recentValues } from './recent-values.ts'

const ENVIRONMENT = 1 as EnvironmentId
const JOINED = '2026-01-01T00:00:00Z'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

it('offers no value of a user who is deleted, also while the rest of their events and memberships is being removed', async () => {
  const { database } = test
  for (const [index, user] of ['gone', 'here'].entries()) {
    const attributes = JSON.stringify({ note: `of ${user}` })
    await database.query(
      `insert into events (environment_id, id, name, user_id, attributes, time, created_at)
       values ($1::int, $2::uuid, 'noted', $3::text, $4::jsonb, now(), now())`,
      [ENVIRONMENT, leastIdAt(1_000 + index), user, attributes],
    )
    await database.query(
      `insert into group_memberships
         (environment_id, user_id, group_id, id, attributes, created_at, user_created_at, group_created_at)
       values ($1::int, $2::text, 'all', gen_random_uuid(), $3::jsonb, now(), $4::timestamptz, now())`,
      [ENVIRONMENT, user, attributes, JOINED],
    )
  }
  const offered = async () => [
    await recentValues(database, ENVIRONMENT, { of: 'event', name: 'note', event: 'noted' }),
    await recentValues(database, ENVIRONMENT, { of: 'membership', name: 'note' }),
  ]
  expect(await offered()).toEqual([
    ['of gone', 'of here'],
    ['of gone', 'of here'],
  ])
  await database.query(
    `insert into pending_deletions (environment_id, owner, owner_id, boundary, requested_at, object_created_at)
     values ($1::int, 'user', 'gone', $2::uuid, now(), $3::timestamptz)`,
    [ENVIRONMENT, leastIdAt(2_000), JOINED],
  )
  expect(await offered()).toEqual([['of here'], ['of here']])
})
