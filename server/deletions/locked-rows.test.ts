import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import type { EnvironmentId } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { OldClaims } from '../history/old-claims.ts'
import { leastIdAt } from '../ids.ts'
import { removeLeftOf } from './deleted-content.ts'
import { removeSessionsOf } from './sessions.ts'

/**
 * A batch of writes may wait in memory for the commit of the one before it. If a step that has rows of the first waited for
 * rows of the second, all three would wait for each other, and PostgreSQL would not see it.
 */

const ENVIRONMENT = 1 as EnvironmentId
const CONTENT = leastIdAt(1)
const BOUNDARY = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
/** Of three days ago. */
const ids = [1, 2, 3].map((n) => leastIdAt(Date.now() - 72 * 60 * 60_000 + n))
const locked = ids[1] as string
let test: TestDatabase

beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

async function insertRows(): Promise<void> {
  for (const table of ['content_sessions', 'content_claims'])
    await test.database.query(`delete from ${table} where environment_id = $1::int`, [ENVIRONMENT])
  const columns = 'environment_id, id, user_id, group_id, content_id, version_id, type, reason, epoch, sequence'
  const values = "$1::int, id, 'u' || id, 'g', $3::uuid, $3::uuid, 'flow', 'auto', 1, 0"
  await test.database.query(
    `insert into content_sessions (${columns}, state, created_at, last_activity_at)
     select ${values}, 'active', now(), now() from unnest($2::uuid[]) as id`,
    [ENVIRONMENT, ids, CONTENT],
  )
  await test.database.query(
    `insert into content_claims (${columns}, state, holder, lease_until, created_at)
     select ${values}, 'shown', 'h', now() - interval '2 days', now() from unnest($2::uuid[]) as id`,
    [ENVIRONMENT, ids, CONTENT],
  )
}

async function left(table: string, where = 'true'): Promise<string[]> {
  const rows = await test.database.query<{ id: string }>(
    `select id from ${table} where environment_id = $1::int and ${where} order by id`,
    [ENVIRONMENT],
  )
  return rows.map(({ id }) => id)
}

async function whileLocked(table: string, work: () => Promise<unknown>): Promise<void> {
  await inTransaction(test.database, async (transaction) => {
    await transaction.query(`select id from ${table} where environment_id = $1::int and id = $2::uuid for update`, [
      ENVIRONMENT,
      locked,
    ])
    await work()
  })
}

it.each([
  ['user', 'true'],
  ['group', 'group_id is not null'],
] as const)('a step of the deletion of a %s leaves a locked session for the next', async (owner, where) => {
  await insertRows()
  const objects = owner === 'group' ? [{ id: 'g' }] : ids.map((id) => ({ id: `u${id}` }))
  const step = () =>
    inTransaction(test.database, (db) =>
      removeSessionsOf(db, ENVIRONMENT, { owner, objects: objects as never, boundary: BOUNDARY, most: 10 }),
    )
  await whileLocked('content_sessions', async () => {
    expect(await step()).toEqual({ isLeft: true, last: undefined })
    expect(await left('content_sessions', where)).toEqual([locked])
  })
  expect(await step()).toMatchObject({ isLeft: false })
  expect(await left('content_sessions', where)).toEqual([])
})

it('a step of the deletion of content leaves a locked session for the next', async () => {
  await insertRows()
  const step = () => removeLeftOf(test.database, ENVIRONMENT, CONTENT, 10)
  await whileLocked('content_sessions', async () => {
    expect(await step()).toBe(2)
    expect(await left('content_sessions')).toEqual([locked])
  })
  expect(await step()).toBe(1)
})

it('a locked claim is kept by the removal of old ones', async () => {
  await insertRows()
  const remove = () => new OldClaims().remove(test.database, ENVIRONMENT, new AbortController().signal)
  await whileLocked('content_claims', async () => {
    await remove()
    expect(await left('content_claims')).toEqual([locked])
  })
  await remove()
  expect(await left('content_claims')).toEqual([])
})
