import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { limits } from '../../contract/limits.ts'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import type { EnvironmentId, Reader } from '../database/database.ts'
import { ApiError } from '../errors.ts'
import { parseExpand } from '../expand/paths.ts'
import { groups, users } from '../objects/tables.ts'
import { listObjects, memberSource, objectSource } from '../reads/lists.ts'
import { emailSource } from '../users/routes.ts'
import type { ListSource } from './source.ts'

/** Enough that no plan reads a whole table. Filling it takes 6 s of CPU time with 100,000. */
const ROWS = inject('isLong') ? 100_000 : 25_000
const MIDDLE = ROWS / 2 + 1

let test: TestDatabase
let environmentId: EnvironmentId

/** So many users and groups, and a group that every user is in; a twentieth of the names are missing. */
const seed = [
  `insert into users (environment_id, id, attributes, created_at, name_key, signed_up_at_key, last_seen_at_key, email_key)
   select $1, 'u' || n, jsonb_build_object('email', 'e' || n), timestamptz '2026-01-01' + n * interval '1 second',
          case when n % 20 = 0 then '' else 's' || md5(n::text) end, 'd' || md5((n + 1)::text), 'd' || md5((n + 2)::text), 'e' || n
     from generate_series(1, ${ROWS}) as n`,
  `insert into groups (environment_id, id, attributes, created_at, name_key)
   select $1, 'g' || n, '{}', timestamptz '2026-01-01' + n * interval '1 second', 's' || md5(n::text)
     from generate_series(1, ${ROWS}) as n`,
  `insert into group_memberships (environment_id, user_id, group_id, id, attributes, created_at, user_created_at, group_created_at)
   select $1, users.id, 'g1', gen_random_uuid(), '{}', now(), users.created_at, groups.created_at
     from users join groups on groups.environment_id = $1 and groups.id = 'g1' where users.environment_id = $1`,
  `insert into group_memberships (environment_id, user_id, group_id, id, attributes, created_at, user_created_at, group_created_at)
   select $1, 'u1', groups.id, gen_random_uuid(), '{}', now(), users.created_at, groups.created_at
     from groups join users on users.environment_id = $1 and users.id = 'u1' where groups.environment_id = $1 and groups.id <> 'g1'`,
]

beforeAll(async () => {
  // A busy machine takes longer to fill it.
  test = await createTestDatabase({ statement_timeout: '120000' })
  environmentId = await createEnvironment(test.database)
  for (const statement of seed) await test.database.pool.query(statement, [environmentId])
  await test.database.pool.query('vacuum analyze users, groups, group_memberships')
})
afterAll(() => test.close())

interface Plan {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)]

type Explained = [{ 'QUERY PLAN': [{ Plan: Plan }] }]

/** The generic plan of a prepared statement, which is used for all values. */
async function explainPrepared(text: string, values: readonly unknown[]): Promise<Plan[]> {
  const client = await test.database.pool.connect()
  await client.query(`set plan_cache_mode = force_generic_plan; prepare page as ${text}`)
  const literals = values.map(literal).join(', ')
  const { rows } = await client.query(`explain (analyze, format json) execute page(${literals})`)
  await client.query('deallocate page; reset plan_cache_mode')
  client.release()
  return flatten((rows as Explained)[0]['QUERY PLAN'][0].Plan)
}

const literal = (value: unknown) => pg.escapeLiteral(Array.isArray(value) ? `{${value.join()}}` : String(value))

/** Runs a page, or several at the same time, and explains every statement. */
async function explainPage(
  table: typeof users,
  source: ListSource,
  query: object,
  expand: string[] = [],
  copies = 1,
): Promise<Plan[]> {
  const plans: Plan[] = []
  const { database } = test
  const explaining: Reader = {
    isDistributed: false,
    query: async (text, values) => {
      plans.push(...(await explainPrepared(text, values)))
      return await database.query(text, values)
    },
    queryUnprepared: async (text, values) => {
      const rows = await database.queryUnprepared(`explain (analyze, format json) ${text}`, values)
      plans.push(...flatten((rows as unknown as Explained)[0]['QUERY PLAN'][0].Plan))
      return await database.queryUnprepared(text, values)
    },
  }
  const tree = parseExpand(table.object, expand)
  const horizon = { untilMs: Date.now(), exceptMs: [Date.now()], sequence: 1 }
  const read = async () =>
    await listObjects(explaining, environmentId, table, source, { query, tree, address: '', horizon })
  const outcomes = await Promise.allSettled(Array.from({ length: copies }, read))
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected' && !(outcome.reason instanceof ApiError)) throw outcome.reason
  }
  return plans
}

function expectIndexOnly(plans: Plan[], rowsAtMost: number): void {
  const types = plans.map((plan) => plan['Node Type'])
  expect(types).not.toContain('Seq Scan')
  expect(types.filter((type) => type.includes('Index'))).not.toEqual([])
  for (const plan of plans) {
    expect(plan['Actual Rows'] * plan['Actual Loops'], plan['Node Type']).toBeLessThanOrEqual(rowsAtMost)
    expect(plan['Rows Removed by Filter'] ?? 0, plan['Node Type']).toBeLessThanOrEqual(rowsAtMost)
  }
}

const middle = { users: `u${MIDDLE}`, groups: `g${MIDDLE}` }
const fields = {
  users: ['created_at', 'attributes.name', 'attributes.signed_up_at', 'attributes.last_seen_at'],
  groups: ['created_at', 'attributes.name'],
}
const pageCases = [users, groups].flatMap((table) =>
  fields[table.name].flatMap((field) =>
    [field, `-${field}`].flatMap((order) =>
      [undefined, middle[table.name]].map((after) => [table.name, order, after] as const),
    ),
  ),
)

describe(`at ${ROWS.toLocaleString('en')} rows, a page reads its own rows and no others`, () => {
  it.each(pageCases)('%s by %s after %s', async (name, order, after) => {
    const table = name === 'users' ? users : groups
    const query = { limit: 100, order_by: [order], ...(after !== undefined && { starting_after: after }) }
    expectIndexOnly(await explainPage(table, objectSource(table), query), 101)
  })

  it.each(pageCases)('twelve pages of %s by %s after %s that are read together', async (name, order, after) => {
    const table = name === 'users' ? users : groups
    const query = { limit: 100, order_by: [order], ...(after !== undefined && { starting_after: after }) }
    const plans = await explainPage(table, objectSource(table), query, [], 12)
    expect(plans.map((plan) => plan['Node Type'])).toContain('Function Scan')
    // Eight pages at most share a statement.
    expectIndexOnly(plans, 8 * 101)
  })

  it.each([undefined, middle.users])('the members of a group that everybody is in, after %s', async (after) => {
    const source = memberSource(users, 'user_id', 'group_id', 'g1')
    expectIndexOnly(
      await explainPage(users, source, { limit: 100, ...(after !== undefined && { starting_after: after }) }),
      101,
    )
  })

  it.each([undefined, middle.groups])('the groups of a user who is in all of them, after %s', async (after) => {
    const source = memberSource(groups, 'group_id', 'user_id', 'u1')
    expectIndexOnly(
      await explainPage(groups, source, { limit: 100, ...(after !== undefined && { starting_after: after }) }),
      101,
    )
  })

  it('the users of an email address', async () => {
    expectIndexOnly(await explainPage(users, emailSource(objectSource(users), 'e777'), { limit: 100 }), 1)
  })

  it('expansions read what they show, and no other rows', async () => {
    // All users but u1 are in one group only, so there are few memberships. The page begins after u1.
    const query = { limit: 100, starting_after: 'u1' }
    expectIndexOnly(await explainPage(users, objectSource(users), query, ['memberships.group', 'groups']), 202)
  })

  it.each(['groups', 'memberships', 'memberships.group', 'memberships.user'])(
    'one expanded list, %s, is read for all users of the page at once',
    async (path) => {
      const plans = await explainPage(users, objectSource(users), { limit: 100, starting_after: 'u1' }, [path])
      expectIndexOnly(plans, 202)
      expect(plans.filter((plan) => plan['Actual Loops'] > 1)).toEqual([])
    },
  )

  it.each(['users', 'memberships.user'])(
    'one expanded list, %s, over the limit is read up to the limit',
    async (path) => {
      expectIndexOnly(
        await explainPage(groups, objectSource(groups), { limit: 100 }, [path]),
        limits.expandedObjects + 1,
      )
    },
  )

  it('expansions over the limit are not started, and are counted only up to the limit', async () => {
    const everybody = await explainPage(groups, objectSource(groups), { limit: 100 }, ['users', 'memberships.user'])
    expectIndexOnly(everybody, limits.expandedObjects + 1)
    const friends = await explainPage(users, objectSource(users), { limit: 100, starting_after: 'u1' }, [
      'groups.users',
    ])
    expectIndexOnly(friends, limits.expandedObjects + 1)
  })

  it('two fields: uses the index of the first, and sorts only its ties', async () => {
    const plans = await explainPage(users, objectSource(users), {
      limit: 100,
      order_by: ['-attributes.name', 'created_at'],
    })
    expect(plans.map((plan) => plan['Node Type'])).toContain('Incremental Sort')
    expectIndexOnly(plans, 200)
  })
})
