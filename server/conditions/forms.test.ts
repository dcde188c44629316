import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import type { Attributes } from '../../contract/attributes.ts'
import type { Condition } from '../../contract/conditions/condition.ts'
import { eachLeaf } from '../../contract/conditions/kinds.ts'
import { conditionProblems } from '../../contract/conditions/problems.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import {
  eventNames,
  NOW,
  names,
  pick,
  randomComparison,
  randomCondition,
  values,
} from '../../test/support/random-conditions.ts'
import { outcomesInMemory, outcomesInSql, type Question } from '../../test/support/two-forms.ts'
import { isoTime } from '../clock.ts'
import type { EnvironmentId } from '../database/database.ts'
import { leastIdAt } from '../ids.ts'
import type { SegmentLookup } from './compile.ts'
import { countStatement } from './count-sql.ts'

const ENVIRONMENT = 7 as EnvironmentId
const USERS = 100
const ROUNDS = inject('isLong') ? 50 : 4
const CONDITIONS_PER_ROUND = 25

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase({ jit: 'off' })
  await fill()
  // Without statistics PostgreSQL chose a plan of twenty seconds for some conditions. Its autovacuum makes them elsewhere.
  await test.database.query('analyze', [])
})
afterAll(async () => await test.close())

const segments: SegmentLookup = (key) =>
  key === 'some'
    ? {
        name: 'Some',
        condition: {
          any: [
            { event: 'x', at_least: 2 },
            { attribute: 'a', is: 'exists' },
          ],
        },
      }
    : undefined

const userIds = Array.from({ length: USERS }, (_, index) => `u${index}`)
const groupIds = ['g0', 'g1', 'g2']

function randomAttributes(): Attributes {
  return Object.fromEntries(names.filter(() => Math.random() < 0.7).map((name) => [name, pick(values)]))
}

/** Users with missing and odd attributes, in no group, one or several; events at the edges of the window, in the future, and left over from deletions. */
async function fill(): Promise<void> {
  const { database } = test
  const insert = (text: string, rows: readonly object[]) => database.query(text, [ENVIRONMENT, JSON.stringify(rows)])
  const created = '2026-05-26T00:00:00Z'
  const object = (id: string) => ({ id, attributes: randomAttributes() })
  await insert(
    `insert into users (environment_id, id, attributes, created_at, name_key, signed_up_at_key, last_seen_at_key)
     select $1::int, id, attributes, '${created}', '', '', '' from json_to_recordset($2::json) as given (id text, attributes jsonb)`,
    userIds.map(object),
  )
  await insert(
    `insert into groups (environment_id, id, attributes, created_at, name_key)
     select $1::int, id, attributes, '${created}', '' from json_to_recordset($2::json) as given (id text, attributes jsonb)`,
    groupIds.map(object),
  )
  const memberships = userIds.flatMap((user, index) =>
    groupIds.slice(0, index % 4).map((group) => ({ user, group, attributes: randomAttributes() })),
  )
  await insert(
    `insert into group_memberships (environment_id, user_id, group_id, id, attributes, created_at, user_created_at, group_created_at)
     select $1::int, "user", "group", gen_random_uuid(), attributes, now(), '${created}', '${created}'
       from json_to_recordset($2::json) as given ("user" text, "group" text, attributes jsonb)`,
    memberships,
  )
  const times = [0, 1, -1, -7 * 86_400_000, -7 * 86_400_000 - 1, -6 * 86_400_000, -30 * 86_400_000].map((ms) =>
    isoTime(NOW + ms),
  )
  const events = Array.from({ length: USERS * 8 }, (_, index) => ({
    id: leastIdAt(index + 1),
    name: pick(eventNames.slice(0, 2)),
    user: pick([...userIds, null]),
    group: pick([...groupIds, null, null]),
    attributes: randomAttributes(),
    time: pick(times),
  })).filter(({ user, group }) => user !== null || group !== null)
  await insert(
    `insert into events (environment_id, id, name, user_id, group_id, attributes, time, created_at)
     select $1::int, id, name, "user", "group", attributes, time, now()
       from json_to_recordset($2::json) as given (id uuid, name text, "user" text, "group" text, attributes jsonb, time timestamptz)`,
    events,
  )
}

async function deleteSome(): Promise<void> {
  const deleted = [
    ['user', 'u1'],
    ['user', 'u5'],
    ['group', 'g1'],
  ]
  for (const [owner, id] of deleted)
    await test.database.query(
      `insert into pending_deletions (environment_id, owner, owner_id, boundary, requested_at, object_created_at)
       values ($1::int, $2::text, $3::text, $4::uuid, now(), '2020-01-01')`,
      [ENVIRONMENT, owner, id, leastIdAt(USERS * 4)],
    )
}

async function expectAgreement(conditions: readonly Condition[], keptDays?: number): Promise<number> {
  for (const condition of conditions) expect(conditionProblems(condition, 'who', '')).toEqual([])
  const question = { environmentId: ENVIRONMENT, scope: 'user', segments, keptDays, now: NOW } as const
  const [bySql, inMemory] = await Promise.all([
    outcomesInSql(test.database, conditions, question),
    outcomesInMemory(test.database, conditions, question, userIds),
  ])
  for (const [index, condition] of conditions.entries())
    for (const id of userIds) {
      const outcome = bySql.get(id)?.[index]
      const expected = inMemory.get(id)?.[index]
      if (outcome !== expected)
        expect.fail(`${id}: SQL says ${outcome}, memory ${expected}: ${JSON.stringify(condition)}`)
    }
  await expectCounts(conditions, question)
  return conditions.length * userIds.length
}

/** The counts of each condition and of each of its lines, which share what they read of a user. */
async function expectCounts(conditions: readonly Condition[], question: Question): Promise<void> {
  const asked = conditions.map((condition) => {
    const leaves: Condition[] = []
    eachLeaf(condition, (leaf) => leaves.push(leaf))
    return [condition, ...(leaves.length === 1 ? [] : leaves)]
  })
  const inMemory = await outcomesInMemory(test.database, asked.flat(), question, userIds)
  const fitting = asked.flat().map((_, index) => userIds.filter((id) => inMemory.get(id)?.[index] === true).length)
  for (const parts of asked) {
    const { text, values } = countStatement({ ...question, condition: parts[0] as Condition }, 1)
    const [counts] = await test.database.queryUnprepared<Record<string, number>>(text, values)
    const { whole, total, ...lines } = counts as Record<string, number>
    const expected = fitting.splice(0, parts.length)
    expect([whole, ...Object.values(lines)], JSON.stringify(parts[0])).toEqual(expected)
    expect(total).toBe(USERS)
  }
}

it('every operator means the same in memory and in SQL, for values of every type and for none', async () => {
  for (let round = 0; round < ROUNDS / 2; round += 1)
    await expectAgreement(Array.from({ length: 60 }, () => ({ attribute: pick(names), ...randomComparison() })))
})

it('random conditions select the same users in memory and in SQL, also while users and groups are being deleted, and where events are kept for some days', async () => {
  let pairs = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round === ROUNDS / 2) await deleteSome()
    const keptDays = round % 2 === 0 ? undefined : 6
    pairs += await expectAgreement(
      Array.from({ length: CONDITIONS_PER_ROUND }, () => randomCondition()),
      keptDays,
    )
  }
  expect(pairs).toBeGreaterThanOrEqual(10_000)
})
