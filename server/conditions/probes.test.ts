import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import type { EventLeaf } from '../../contract/conditions/condition.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { blocksRead, explained, type Plan, rowsRead } from '../../test/support/explained.ts'
import type { Database, EnvironmentId, Queryable } from '../database/database.ts'
import { leastIdAt } from '../ids.ts'
import { countProbes, countProbesOfMany, type ProbedSubject } from './probe-queries.ts'
import { ProbeReader } from './probe-reader.ts'
import { Probes } from './probes.ts'

let test: TestDatabase
const ENVIRONMENT = 7 as EnvironmentId
const NOW = Date.parse('2026-06-01T00:00:00Z')
const EVENTS = inject('isLong') ? 200_000 : 20_000

beforeAll(async () => {
  test = await createTestDatabase()
  await test.database.query(
    `insert into events (environment_id, id, name, user_id, group_id, attributes, time, created_at)
     select $1::int, ('00000000-0001-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'name' || n % 20, 'big', 'team',
            jsonb_build_object('n', n), timestamptz '2026-06-01' - n * interval '1 minute', now()
       from generate_series(1, ${EVENTS}) as n`,
    [ENVIRONMENT],
  )
  await test.database.pool.query('vacuum analyze events, pending_deletions')
})
afterAll(async () => await test.close())

async function count(db: Queryable, leaves: readonly EventLeaf[], ownerId = 'big'): Promise<(number | null)[]> {
  const probes = new Probes()
  for (const leaf of leaves) probes.add(leaf)
  const [counts = []] = await countProbes(db, ENVIRONMENT, 'user', probes.list, [{ ownerId, userId: ownerId }], NOW)
  return counts
}

const PDF = [{ attribute: 'n', is: 'at_most', value: 100 }] as const

it('counts up to what decides, in its window, and never an event of the future', async () => {
  const counts = await count(test.database, [
    { event: 'name1' },
    { event: 'name2', at_least: 100 },
    { event: 'name3', at_most: 4 },
    { event: 'name1', at_least: 1000, within: '1h' },
    { event: 'never' },
    { event: 'name1', at_least: 1000, since: '2026-05-31T23:00:00Z' },
    { event: 'name1', at_least: 1000, where: [...PDF] },
  ])
  expect(counts).toEqual([1, 100, 5, 3, 0, 3, 5])
  expect(await count(test.database, [{ event: 'name1', at_least: 3 }], 'somebody')).toEqual([0])
})

it.each<[found: number, EventLeaf]>([
  [1, { event: 'planned' }],
  [3, { event: 'planned', at_least: 3 }],
  [4, { event: 'planned', at_least: 100 }],
  [2, { event: 'planned', at_least: 3, within: '2h' }],
])('counts %i of four past events before 2,000 of the future, and does not go through these', async (found, leaf) => {
  await test.database.query(
    `insert into events (environment_id, id, name, user_id, attributes, time, created_at)
     select $1::int, gen_random_uuid(), 'planned', 'planner', '{}', timestamptz '2026-06-01' + n * interval '1 hour', now()
       from generate_series(-4, 2000) as n where n <> 0`,
    [ENVIRONMENT],
  )
  const ask = async (db: Queryable) => await count(db, [leaf], 'planner')
  // Citus explains no plan for any values.
  const plans = inject('cluster').isDistributed ? [] : await explained(test.database.pool, ask)
  expect(await ask(test.database)).toEqual([found])
  await test.database.query("delete from events where name = 'planned'", [])
  for (const plan of plans) expect(rowsRead(plan)).toBeLessThanOrEqual(100)
})

it('an event that a deletion of its user or its group covers does not count', async () => {
  const pending = (owner: string, id: string) =>
    test.database.query(
      `insert into pending_deletions (environment_id, owner, owner_id, boundary, requested_at)
       values ($1::int, $2::text, $3::text, $4::uuid, now())`,
      [ENVIRONMENT, owner, id, leastIdAt(2)],
    )
  const leaves = [
    { event: 'name1', at_least: 5 },
    { event: 'name1', at_least: 5, where: [...PDF] },
  ]
  await pending('user', 'somebody')
  expect(await count(test.database, leaves)).toEqual([5, 5])
  await pending('group', 'team')
  expect(await count(test.database, leaves)).toEqual([0, 0])
  await test.database.query('delete from pending_deletions', [])
  expect(await count(test.database, leaves)).toEqual([5, 5])
})

const OTHER = 8 as EnvironmentId

function probed(environmentId: EnvironmentId, ownerId: string, leaves: readonly EventLeaf[]): ProbedSubject {
  const probes = new Probes()
  for (const leaf of leaves) probes.add(leaf)
  return { environmentId, ownerId, userId: ownerId, probes: probes.list }
}

const several = (db: Queryable) =>
  countProbesOfMany(
    db,
    'user',
    [
      probed(ENVIRONMENT, 'big', [{ event: 'name1', at_least: 3 }, { event: 'never' }]),
      probed(OTHER, 'big', [{ event: 'name1' }, { event: 'name2', within: '1h' }, { event: 'name3' }]),
      probed(ENVIRONMENT, 'big', [{ event: 'name1', at_least: 1000, within: '1h' }]),
      probed(ENVIRONMENT, 'somebody', [{ event: 'name1' }]),
    ],
    NOW,
  )

it.skipIf(inject('cluster').isDistributed)(
  'several environments with probes of their own are one statement, and each counts its own events',
  async () => {
    expect(await several(test.database)).toEqual([[3, 0], [0, 0, 0], [3], [0]])
    const [plan, ...others] = await explained(test.database.pool, several)
    expect(others).toEqual([])
    expect(rowsRead(plan as Plan)).toBeLessThanOrEqual(20)
    expect(blocksRead(plan as Plan)).toBeLessThanOrEqual(50)
  },
)

it.skipIf(inject('cluster').isDistributed)(
  'a deletion in one of several environments hides the events of its own users alone',
  async () => {
    await test.database.query(
      `insert into pending_deletions (environment_id, owner, owner_id, boundary, requested_at)
       values ($1::int, 'user', 'big', $2::uuid, now())`,
      [OTHER, leastIdAt(2)],
    )
    expect(await several(test.database)).toEqual([[3, 0], [0, 0, 0], [3], [0]])
    await test.database.query('update pending_deletions set environment_id = $1::int', [ENVIRONMENT])
    expect(await several(test.database)).toEqual([[0, 0], [0, 0, 0], [0], [0]])
    await test.database.query('delete from pending_deletions', [])
  },
)

it.skipIf(inject('cluster').isDistributed).each<[string, EventLeaf, isDistributed: boolean, statements: number]>([
  ['what reads little: all together', { event: 'name1' }, false, 1],
  ['what looks at attributes: each by itself', { event: 'name1', where: [...PDF] }, false, 4],
  ['what counts far: each by itself', { event: 'name1', at_least: 500 }, false, 4],
  ['on a sharded PostgreSQL: each by itself', { event: 'name1' }, true, 4],
])('reads of four environments at once, %s', async (_, leaf, isDistributed, statements) => {
  let sent = 0
  const query = async (text: string, values: readonly unknown[]) => {
    sent += 1
    return await test.database.query(text, values)
  }
  const reader = new ProbeReader({ query, isDistributed } as unknown as Database)
  const subject = { ownerId: 'big', userId: 'big' }
  const counts = await Promise.all(
    [ENVIRONMENT, OTHER, ENVIRONMENT, OTHER].map((environmentId) =>
      reader.count(environmentId, 'user', probed(environmentId, 'big', [leaf]).probes, subject, NOW),
    ),
  )
  const expected = await count(test.database, [leaf])
  expect(counts).toEqual([expected, [0], expected, [0]])
  expect(sent).toBe(statements)
})

// A plan on Citus is that of the coordinator, and shows no blocks.
it.skipIf(inject('cluster').isDistributed).each<[string, EventLeaf[], blocks: number, rows: number]>([
  ['a name that the user never tracked', [{ event: 'never' }], 10, 1],
  ['at least one', [{ event: 'name1' }], 10, 1],
  ['at least 100', [{ event: 'name1', at_least: 100 }], 20, 100],
  ['at least 3 with where', [{ event: 'name1', at_least: 3, where: [...PDF] }], 20, 5],
  ['60 names', Array.from({ length: 60 }, (_, n) => ({ event: `name${n}` })), 300, 60],
])('%s: the index is read as far as it decides', async (_, leaves, blocks, rows) => {
  const [plan] = await explained(test.database.pool, (db) => count(db, leaves))
  expect(rowsRead(plan as Plan)).toBeLessThanOrEqual(rows)
  expect(blocksRead(plan as Plan)).toBeLessThanOrEqual(blocks)
})
