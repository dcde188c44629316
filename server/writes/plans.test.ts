import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import type { EnvironmentId, Transaction } from '../database/database.ts'
import { deleteMembershipsOf } from '../memberships/removal.ts'
import { deleteNotificationsOf } from '../outbox/removal.ts'
import { deleteEventsOf } from './event-queries.ts'

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

/** The most rows that a part of the plans of these statements has read, each planned as the server has it planned. */
async function mostRead(call: (db: Transaction) => Promise<unknown>): Promise<number> {
  const client = await test.database.pool.connect()
  let most = 0
  let sent: Promise<unknown> = Promise.resolve()
  const explain = async (text: string, values: readonly unknown[]) => {
    if (text.startsWith('set local')) return (await client.query(text)).rows
    const literals = values.map((value) => client.escapeLiteral(Array.isArray(value) ? `{${value}}` : `${value}`))
    await client.query(`prepare explained as ${text}`)
    await client.query('savepoint before')
    const { rows } = await client.query(`explain (analyze, format json) execute explained (${literals})`)
    await client.query('rollback to savepoint before')
    most = Math.max(most, rowsRead(rows[0]['QUERY PLAN'][0].Plan))
    await client.query('deallocate explained')
    return (await client.query(text, [...values])).rows
  }
  const query = (text: string, values: readonly unknown[]) => {
    sent = sent.then(() => explain(text, values))
    return sent
  }
  try {
    await client.query('begin')
    await client.query('set local plan_cache_mode = force_generic_plan')
    await call({ kind: 'transaction', isDistributed: false, query } as unknown as Transaction)
  } finally {
    await client.query('rollback')
    client.release()
  }
  return most
}

interface Plan {
  'Actual Rows': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

function rowsRead(plan: Plan): number {
  const own = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)
  return Math.max(own, ...(plan.Plans ?? []).map(rowsRead))
}

const part = { ids: ['u7', 'g7'], boundary: 'ffffffff-ffff-ffff-ffff-ffffffffffff', most: 1_000 }
const objects = part.ids.map((id) => ({ id, createdAt: AT }))

it.each(['user', 'group'] as const)(
  'a deletion reads what is of its %s and no more, however large the environment is',
  async (owner) => {
    expect(await mostRead((db) => deleteEventsOf(db, LARGE, { owner, ...part }))).toBe(5)
    expect(await mostRead((db) => deleteNotificationsOf(db, LARGE, { owner, ...part }))).toBe(5)
    expect(await mostRead((db) => deleteMembershipsOf(db, LARGE, { owner, objects, most: 1_000 }))).toBeLessThan(10)
  },
)
