import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import type { Condition } from '../../contract/conditions/condition.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { outcomesInSql } from '../../test/support/two-forms.ts'
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
  await test.database.query(
    `insert into groups (environment_id, id, attributes, created_at, name_key)
     select $1::int, 'g' || n, jsonb_build_object('plan', 'plan' || n % 3, 'seats', n), now(), '' from generate_series(1, 20) as n`,
    [ENVIRONMENT],
  )
  // Some users are in no group, some in two, and of every seventh a group is gone.
  await test.database.query(
    `insert into group_memberships (environment_id, user_id, group_id, id, attributes, created_at, user_created_at, group_created_at)
     select $1::int, 'u' || n, 'g' || case when place = 2 and n % 7 = 0 then 100 else 1 + (n + 5 * place) % 20 end,
            gen_random_uuid(), jsonb_build_object('role', case when n % 2 = 0 then 'admin' else 'member' end), now(), now(), now()
       from generate_series(1, ${USERS}) as n, generate_series(1, 2) as place where n % (2 * place) = 0 or (n % 7 = 0 and place = 2)`,
    [ENVIRONMENT],
  )
  await test.database.pool.query('vacuum analyze events, users, groups, group_memberships, pending_deletions')
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
  const looked: number[] = []
  const reach = await reachOf(db, requestOf(opened, few), { onStep: (users) => looked.push(users) })
  expect(reach).toMatchObject({
    matches: { count: USERS / 10, exact: true },
    gains: { count: 0, exact: true, users: [] },
    losses: { count: USERS / 10, exact: true },
  })
  expect(reach.losses.users).toHaveLength(5)
  expect(statements()).toBe(3)
  expect(looked).toEqual([5_000, 10_000, USERS])
})

it('over its time it is an estimate from the users that were looked at, and says so', async () => {
  const { db, statements } = counting()
  const totals = '(environment_id, users, groups) values ($1::int, $2::bigint, 0)'
  await test.database.query(`insert into environment_totals ${totals}`, [ENVIRONMENT, USERS])
  const { matches, gains, losses } = await reachOf(db, requestOf(opened, few), { mostMs: -1 })
  expect([matches.exact, gains.exact, losses.exact]).toEqual([false, false, false])
  expect(losses.users).toHaveLength(5)
  for (const { count } of [matches, losses]) {
    expect(count).toBeGreaterThan(USERS / 20)
    expect(count).toBeLessThan(USERS / 5)
  }
  expect(statements()).toBe(1)
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

const every = (n: number): Condition => ({ attribute: 'n', is: 'equals', value: n })
const ofGroup: Condition = { attribute: 'plan', of: 'group', is: 'missing' }
const inGroup: Condition = { attribute: 'seats', of: 'group', is: 'missing' }
const ofPlan = (value: string): Condition => ({ attribute: 'plan', of: 'group', is: 'equals', value })
const seats = (value: number): Condition => ({ attribute: 'seats', of: 'group', is: 'at_least', value })
const admin: Condition = { attribute: 'role', of: 'membership', is: 'equals', value: 'admin' }

it.each<[ReachRequest['before'], ReachRequest['after']]>([
  ['nobody', opened],
  ['everybody', opened],
  [opened, 'everybody'],
  [{ all: [opened, every(5)] }, { all: [every(5), { not: opened }] }],
  [{ all: [opened, { not: every(0) }] }, { all: [opened, { not: every(5) }] }],
  [{ all: [ofGroup, every(5)] }, { all: [ofGroup, inGroup, every(5)] }],
  [{ any: [every(1), opened] }, { any: [every(2), opened] }],
  [ofPlan('plan1'), ofPlan('plan2')],
  [{ all: [ofPlan('plan1'), seats(10)] }, { all: [ofPlan('plan1'), seats(15), every(5)] }],
  [{ all: [opened, ofPlan('plan1'), admin] }, { all: [opened, { not: ofPlan('plan1') }] }],
  [{ any: [every(1), seats(18)] }, { any: [opened, ofGroup] }],
  [{ not: seats(12) }, inGroup],
  ['everybody', ofGroup],
])('from %j to %j it counts as each of them selects', async (before, after) => {
  const request = requestOf(before, after)
  const question = { ...request, scope: 'user' } as const
  const asked = [before, after].map((one): Condition => (typeof one === 'string' ? { after: '2020-01-01' } : one))
  const outcomes = [...(await outcomesInSql(test.database, asked, question)).values()].map(([one, other]) => [
    before !== 'nobody' && one === true,
    other === true,
  ])
  const { matches, gains, losses } = await reachOf(test.database, request)
  expect([matches.count, gains.count, losses.count]).toEqual([
    outcomes.filter(([, is]) => is).length,
    outcomes.filter(([was, is]) => is && !was).length,
    outcomes.filter(([was, is]) => was && !is).length,
  ])
})

it('stops between two steps when its client has gone away', async () => {
  const { db, statements } = counting()
  const leaving = new AbortController()
  const left = reachOf(db, requestOf(opened, few), { signal: leaving.signal })
  leaving.abort()
  await expect(left).rejects.toThrow()
  expect(statements()).toBe(1)
})

async function planOf(before: Condition, after: Condition): Promise<string> {
  let plan = ''
  const queryUnprepared = async (text: string, values: readonly unknown[]) => {
    const { rows } = await test.database.pool.query(`explain (analyze, costs off) ${text}`, [...values])
    plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    return [{}]
  }
  await countReach({ queryUnprepared } as unknown as Reader, requestOf(before, after), '', 5_000, 5)
  return plan
}

// A plan on Citus is that of the coordinator, and shows no blocks.
it.skipIf(inject('cluster').isDistributed)(
  'looks up the memberships of a user once for both conditions, and only if one may select the user',
  async () => {
    const lookUpsOf = async (before: Condition, after: Condition) => {
      const plan = await planOf(before, after)
      return [...plan.matchAll(/on group_memberships .*loops=(\d+)/g)].map(([, loops]) => Number(loops))
    }
    expect(await lookUpsOf(seats(10), seats(15))).toEqual([5_000])
    const looked = Array.from({ length: USERS }, (_, index) => `u${index + 1}`)
      .sort()
      .slice(0, 5_000)
    const some = looked.filter((id) => /[12]$/.test(id)).length
    expect(await lookUpsOf({ all: [seats(10), every(1)] }, { all: [seats(15), every(2)] })).toEqual([some])
  },
)

// A plan on Citus is that of the coordinator, and shows no blocks.
it.skipIf(inject('cluster').isDistributed)(
  'looks up each leaf of both conditions once for a user, and never all events of a name',
  async () => {
    const scansOf = async (before: Condition, after: Condition) => {
      const plan = await planOf(before, after)
      return [...plan.matchAll(/(\w+) on events .*loops=(\d+)/g)].map(([, index, loops]) => [index, Number(loops)])
    }
    expect(await scansOf(opened, few)).toEqual([['events_of_user_by_name', 5_000]])
    const other: Condition = { any: [{ event: 'opened', within: '1d' }, { event: 'never' }] }
    const scans = await scansOf(opened, other)
    expect(scans.map(([index]) => index)).toEqual(Array(3).fill('events_of_user_by_name'))
    expect(scans[0]).toEqual(['events_of_user_by_name', 5_000])
  },
)
