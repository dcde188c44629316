import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { testServices } from '../../test/support/services.ts'
import { parseOperations } from '../attributes/operations.ts'
import type { EnvironmentId } from '../database/database.ts'
import { deleteOldEvents } from './event-retention.ts'
import { setKeptDays } from './kept-days.ts'

const DAY_MS = 86_400_000
const now = Date.now()

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

/** Events that were stored one to `days` days ago, a hundred a day. */
async function fill(environmentId: EnvironmentId, days: number): Promise<void> {
  await test.database.pool.query(
    `insert into events (environment_id, id, name, user_id, attributes, time, created_at)
     select $1::int, overlay(gen_random_uuid()::text placing substr(lpad(to_hex(ms), 12, '0'), 1, 8) || '-' || substr(lpad(to_hex(ms), 12, '0'), 9, 4) || '-7' from 1 for 15)::uuid,
            'old', 'u', '{}', to_timestamp(ms / 1000.0), to_timestamp(ms / 1000.0)
       from (select $3::bigint - day * ${DAY_MS}::bigint - n as ms
               from generate_series(1, $2::int) as day, generate_series(1, 100) as n) as times`,
    [environmentId, days, now],
  )
}

async function stored(environmentId: EnvironmentId): Promise<{ count: number; oldestDays: number }> {
  const { rows } = await test.database.pool.query(
    'select count(*)::int as count, min(created_at) as oldest from events where environment_id = $1',
    [environmentId],
  )
  return { count: rows[0].count, oldestDays: Math.floor((now - Date.parse(rows[0].oldest)) / DAY_MS) }
}

describe('events that are kept for some days', () => {
  it('are deleted in steps when they are older, and no others, in no other environment', async () => {
    const [kept, other] = [await createEnvironment(test.database), await createEnvironment(test.database)]
    for (const environment of [kept, other]) await fill(environment, 20)
    expect(await deleteOldEvents(test.database, { now })).toBe(0)
    await setKeptDays(test.database, kept, 'keep_events_days', 7)
    expect(await deleteOldEvents(test.database, { now, stepRows: 100, roundMs: 60_000 })).toBe(1_400)
    expect(await stored(kept)).toEqual({ count: 600, oldestDays: 6 })
    expect(await stored(other)).toEqual({ count: 2_000, oldestDays: 20 })
    expect(await deleteOldEvents(test.database, { now })).toBe(0)
    await setKeptDays(test.database, kept, 'keep_events_days', null)
    expect(await deleteOldEvents(test.database, { now: now + 100 * DAY_MS })).toBe(0)
  })

  it('are deleted once when two nodes delete concurrently, while events are written', async () => {
    const environmentId = await createEnvironment(test.database)
    await fill(environmentId, 30)
    await setKeptDays(test.database, environmentId, 'keep_events_days', 10)
    const services = testServices(test.database)
    const job = { kind: 'event', name: 'new', userId: 'u', groupId: null, operations: parseOperations({}) } as const
    const time = new Date(now).toISOString()
    const writes = Array.from({ length: 50 }, () => services.write(environmentId, { ...job, time, timeMs: now }))
    const options = { now, stepRows: 50, roundMs: 60_000 }
    const [one, two] = await Promise.all([
      deleteOldEvents(test.database, options),
      deleteOldEvents(test.database, options),
      Promise.all(writes),
    ])
    // A node that finds the rest locked by the other one ends early.
    expect(one + two + (await deleteOldEvents(test.database, options))).toBe(2_100)
    expect((await stored(environmentId)).count).toBe(950)
  })
})
