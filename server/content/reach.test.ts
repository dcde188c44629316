import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import type { Condition } from '../../contract/conditions/condition.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import type { EnvironmentId, Reader } from '../database/database.ts'
import { reachOf } from './reach.ts'
import { countReach, type ReachRequest } from './reach-queries.ts'

const ENVIRONMENT = 7 as EnvironmentId
const USERS = 11_000

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
  await test.database.query(
    `insert into users (environment_id, id, attributes, created_at, name_key, signed_up_at_key, last_seen_at_key)
     select $1::int, 'u' || n, jsonb_build_object('n', n % 10), now(), '', '', '' from generate_series(1, ${USERS}) as n`,
    [ENVIRONMENT],
  )
  await test.database.query(
    `insert into events (environment_id, id, name, user_id, attributes, time, created_at)
     select $1::int, gen_random_uuid(), 'opened', 'u' || n, '{}', now() - interval '1 hour', now()
       from generate_series(1, ${USERS}) as n where n % 5 = 0`,
    [ENVIRONMENT],
  )
  await test.database.pool.query('vacuum analyze events, users, pending_deletions')
})
afterAll(async () => await test.close())

const opened: Condition = { event: 'opened', within: '7d' }
const few: Condition = { all: [opened, { attribute: 'n', is: 'equals', value: 0 }] }

function requestOf(before: ReachRequest['before'], after: ReachRequest['after']): ReachRequest {
  return { environmentId: ENVIRONMENT, before, after, segments: () => undefined, keptDays: undefined, now: Date.now() }
}

/** Counts the statements that it passes on. */
function counting(): { db: Reader; statements: () => number } {
  let sent = 0
  const queryUnprepared: Reader['queryUnprepared'] = (text, values) => {
    sent += 1
    return test.database.queryUnprepared(text, values)
  }
  const query: Reader['query'] = (text, values) => test.database.query(text, values)
  return { db: { query, queryUnprepared } as Reader, statements: () => sent }
}

it('counts in steps who newly fits and who no longer does, with some of them', async () => {
  const { db, statements } = counting()
  const reach = await reachOf(db, requestOf(opened, few))
  expect(reach).toMatchObject({
    matches: { count: USERS / 10, exact: true },
    gains: { count: 0, exact: true, users: [] },
    losses: { count: USERS / 10, exact: true },
  })
  expect(reach.losses.users).toHaveLength(5)
  expect(statements()).toBe(3)
})

it('when who stays the same nobody is gained or lost, and it looks until somebody matches', async () => {
  const { db, statements } = counting()
  expect(await reachOf(db, requestOf(opened, { ...opened }))).toMatchObject({
    gains: { count: 0, exact: true },
    losses: { count: 0, exact: true },
  })
  expect(statements()).toBe(1)
  const nobody: Condition = { event: 'never' }
  expect((await reachOf(db, requestOf(nobody, nobody))).matches).toEqual({ count: 0, exact: true })
})

it('stops between two steps when its client has gone away', async () => {
  const { db, statements } = counting()
  const leaving = new AbortController()
  const left = reachOf(db, requestOf(opened, few), { signal: leaving.signal })
  leaving.abort()
  await expect(left).rejects.toThrow()
  expect(statements()).toBe(1)
})

// A plan on Citus is that of the coordinator, and shows no blocks.
it.skipIf(inject('cluster').isDistributed)('asks each leaf of both conditions once for a user', async () => {
  let plan = ''
  const queryUnprepared = async (text: string, values: readonly unknown[]) => {
    const { rows } = await test.database.pool.query(`explain (analyze, costs off) ${text}`, [...values])
    plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    return [{}]
  }
  await countReach({ queryUnprepared } as unknown as Reader, requestOf(opened, few), '', 5_000, 5)
  const scans = [...plan.matchAll(/ on events .*loops=(\d+)/g)].map(([, loops]) => Number(loops))
  expect(scans).toHaveLength(2)
  expect(Math.max(...scans)).toBeLessThanOrEqual(5_000)
})
