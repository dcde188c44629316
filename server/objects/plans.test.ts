import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import type { EnvironmentId, Queryable, Transaction } from '../database/database.ts'
import { ofOne } from '../database/parts.ts'
import { deleteObjects, findObjects, findObjectsOfEnvironments, lockObjects } from './queries.ts'
import { updateAttributes } from './store-queries.ts'
import { users } from './tables.ts'

/** One large environment and many small ones: the average of the statistics is wrong for it. */

const LARGE = 1 as EnvironmentId
let test: TestDatabase

beforeAll(async () => {
  test = await createTestDatabase()
  const insert = `
    insert into users (environment_id, id, attributes, created_at, name_key, signed_up_at_key, last_seen_at_key)
    select environment_id, 'u' || n, '{}', now(), '', '', ''
      from generate_series($1::int, $2::int) as environment_id, generate_series(1, $3::int) as n`
  await test.database.query(insert, [LARGE, LARGE, 3_000])
  await test.database.query(insert, [100, 900, 4])
  await test.database.query('analyze users', [])
})
afterAll(() => test.close())

/** The generic plans of the statements that the call sends. */
async function plansOf(call: (db: Transaction) => Promise<unknown>): Promise<string> {
  const sent: { text: string; values: readonly unknown[] }[] = []
  const recorder: Queryable = {
    isDistributed: false,
    query: async (text, values) => {
      sent.push({ text, values })
      return []
    },
  }
  await call(recorder as Transaction)
  const client = await test.database.pool.connect()
  try {
    const plans: string[] = []
    for (const [index, { text, values }] of sent.entries()) {
      await client.query(`prepare plan_${index} as ${text}`)
      const literals = values.map((value) => client.escapeLiteral(Array.isArray(value) ? `{${value}}` : `${value}`))
      const { rows } = await client.query(`explain execute plan_${index} (${literals})`)
      plans.push(...rows.map((row) => row['QUERY PLAN']))
      await client.query(`deallocate plan_${index}`)
    }
    return plans.join('\n')
  } finally {
    client.release()
  }
}

const ids = ['u1', 'u2', 'u3']
const keys = ids.map((id) => ({ environmentId: LARGE, id }))
const object = { attributes: {}, attributesJson: '{}', createdAt: '2026-01-01T00:00:00.000Z' }
const calls: Record<string, (db: Transaction) => Promise<unknown>> = {
  find: (db) => findObjects(db, LARGE, users, ids),
  'find in several environments': (db) => findObjectsOfEnvironments(db, users, keys),
  lock: (db) => lockObjects(db, users, ofOne(LARGE, ids)),
  update: (db) => updateAttributes(db, users, ofOne(LARGE, [['u1', object]])),
  delete: (db) => deleteObjects(db, LARGE, users, ids),
}

it.each(Object.entries(calls))(
  '%s looks up each user by its key, however large its environment is',
  async (_, call) => {
    const plan = await plansOf(call)
    expect(plan).toMatch(/Index Scan using users_pkey on users stored/)
    expect(plan).toMatch(/Index Cond: .*id = wanted\.id/)
    expect(plan.replaceAll(/users_pkey/g, '')).not.toMatch(/Seq Scan|users_by_/)
  },
)
