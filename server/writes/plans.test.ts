import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { explained, rowsRead } from '../../test/support/explained.ts'
import type { EnvironmentId, Transaction } from '../database/database.ts'
import { deleteEventsOf } from '../deletions/events.ts'
import { deleteMembershipsOf } from '../deletions/memberships.ts'
import { deleteNotificationsOf } from '../deletions/notifications.ts'

/** One large environment and many small ones: the average is wrong for it. */

const LARGE = 1 as EnvironmentId
const ROWS = 10_000
const SMALL = 'generate_series(100, 1100) as environment_id, generate_series(1, 10) as n'
const AT = '2026-01-01T00:00:00.000Z'
let test: TestDatabase

beforeAll(async () => {
  test = await createTestDatabase()
  const { pool } = test.database
  const rowsOf = `${LARGE} as environment_id, n from generate_series(1, ${ROWS}) as n union all select environment_id, n from ${SMALL}`
  const owners = `'u' || n % 2000, 'g' || n % 2000`
  await pool.query(
    `insert into events (environment_id, id, name, user_id, group_id, attributes, time, created_at)
     select environment_id, gen_random_uuid(), 'n', ${owners}, '{}', now(), now() from (select ${rowsOf}) as rows`,
  )
  await pool.query(
    `insert into webhook_notifications (environment_id, id, topic, object, user_id, group_id, created_at)
     select environment_id, gen_random_uuid(), 'n', '{}', ${owners}, now() from (select ${rowsOf}) as rows`,
  )
  await pool.query(
    `insert into webhook_deliveries (environment_id, notification_id, subscription_id, state, due_at, attempt, expires_at)
     select environment_id, id, gen_random_uuid(), 0, now(), 0, now() from webhook_notifications`,
  )
  await pool.query(
    `insert into group_memberships
       (environment_id, user_id, group_id, id, attributes, created_at, user_created_at, group_created_at)
     select environment_id, 'u' || n, 'g' || n % 2000, gen_random_uuid(), '{}', now(), '${AT}', '${AT}' from (select ${rowsOf}) as rows`,
  )
  await pool.query('vacuum analyze events, webhook_notifications, webhook_deliveries, group_memberships')
})
afterAll(() => test.close())

async function mostRead(call: (db: Transaction) => Promise<unknown>): Promise<number> {
  return Math.max(...(await explained(test.database.pool, call)).map(rowsRead))
}

const objects = ['u7', 'g7'].map((id) => ({ id, createdAt: AT }))
const part = { objects, boundary: 'ffffffff-ffff-ffff-ffff-ffffffffffff', most: 1_000 }

it.each(['user', 'group'] as const)(
  'a deletion reads what is of its %s and no more, however large the environment is',
  async (owner) => {
    expect(await mostRead((db) => deleteEventsOf(db, LARGE, { owner, ...part }))).toBe(5)
    expect(await mostRead((db) => deleteNotificationsOf(db, LARGE, { owner, ...part }))).toBe(5)
    expect(await mostRead((db) => deleteMembershipsOf(db, LARGE, { owner, ...part }))).toBeLessThan(10)
  },
)
