import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest'
import { startTestServer, type TestServer } from '../../test/support/client.ts'
import { memberOf } from '../../test/support/dashboard.ts'
import { blocksRead, explained } from '../../test/support/explained.ts'
import type { EnvironmentId } from '../database/database.ts'
import { environmentTables } from '../database/tables.ts'
import { deletePortion, findKeys, type SweptTable } from './queries.ts'
import { sweepDeletedEnvironments } from './sweep.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => await server.close())

async function rowsOf(environmentId: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of environmentTables) {
    const [row] = await server.database.query<{ count: number }>(
      `select count(*)::int as count from ${table} where environment_id = $1::int`,
      [environmentId],
    )
    counts[table] = row?.count ?? 0
  }
  return counts
}

async function flushed(environmentId: number): Promise<Record<string, number>> {
  const { counters, usage } = server.services
  await Promise.all([counters.flush(), usage.flush()])
  return await rowsOf(environmentId)
}

it('leaves nothing of a deleted environment, and all of the others', async () => {
  for (const client of [server.client, server.otherClient]) {
    await client.post('/webhook_subscriptions', { url: 'http://127.0.0.1:9/', topics: ['*'], disabled: true })
    await client.post('/users', { id: 'u', attributes: { a: 1 }, groups: [{ id: 'g' }] })
    await client.post('/events', { name: 'e', user_id: 'u', attributes: { b: 1 } })
    await client.get('/users/nobody')
  }
  const owner = await memberOf(server, 'owner')
  const [other] = await server.database.query<{ id: number }>("select id from environments where slug = 'staging'", [])
  // A request is counted after its answer, and so is the use of its names. What is stored later would be left by the sweep, which here does not wait.
  for (const id of [server.environmentId, other?.id as number])
    await expect.poll(async () => (await flushed(id)).request_errors).toBe(1)
  const before = await rowsOf(server.environmentId)
  expect(before.users).toBe(1)
  await owner.call('deleteEnvironment', { environment: 'staging', name: 'Staging' })
  // Also not by a node whose clock is ahead: requests may be under way.
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
  await sweepDeletedEnvironments(server.database)
  clock.mockRestore()
  expect((await rowsOf(other?.id as number)).users).toBe(1)
  // A round takes two seconds at most. The next one goes on.
  const isThere = () => server.database.query('select from environments where id = $1::int', [other?.id])
  while ((await isThere()).length > 0) await sweepDeletedEnvironments(server.database, 0)
  const after = await rowsOf(other?.id as number)
  expect(Object.entries(after).filter(([, count]) => count !== 0)).toEqual([])
  expect(await rowsOf(server.environmentId)).toEqual(before)
})

const LARGE = 1_000_000 as EnvironmentId
const idOf = `('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`
const NUMBERS = 'generate_series(1, 5000) as n'

/** Looks into the plans of one PostgreSQL. */
it.skipIf(inject('cluster').isDistributed).each([
  [
    'events',
    `insert into events (environment_id, id, name, user_id, attributes, time, created_at)
     select ${LARGE}, ${idOf}, 'n', 'u', '{}', now(), now() from ${NUMBERS}`,
  ],
  [
    'group_memberships',
    `insert into group_memberships
       (environment_id, user_id, group_id, id, attributes, created_at, user_created_at, group_created_at)
     select ${LARGE}, 'u' || n, 'g', gen_random_uuid(), '{}', now(), now(), now() from ${NUMBERS}`,
  ],
  [
    'webhook_notifications',
    `insert into webhook_notifications (environment_id, id, topic, object, user_id, created_at)
     select ${LARGE}, ${idOf}, 'n', '{}', 'u', now() from ${NUMBERS}`,
  ],
])('a late portion of %s reads as few blocks as an early one, and no row is left', async (name, insert) => {
  const { pool } = server.database
  await pool.query(insert)
  await pool.query(`vacuum analyze ${name}`)
  const [table] = (await findKeys(server.database, [name])) as [SweptTable]
  const blocks: number[] = []
  await explained(pool, async (db, plans) => {
    let after: string[] | undefined
    do {
      after = await deletePortion(db, LARGE, table, 250, after)
      blocks.push(plans.splice(0).reduce((sum, plan) => sum + blocksRead(plan), 0))
    } while (after)
    expect(await db.query(`select from ${name} where environment_id = $1::int`, [LARGE])).toEqual([])
  })
  expect(blocks).toHaveLength(5_000 / 250 + 1)
  expect(blocks.at(-2)).toBeLessThan((blocks[0] as number) * 1.5)
})
