import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, LONGEST_WAIT_MS, type TestDatabase } from '../../test/support/database.ts'
import { advisoryLocks } from '../database/advisory-locks.ts'
import type { EnvironmentId } from '../database/database.ts'
import { beginCount, COUNT_SETTINGS, ConditionCounter } from './counter.ts'
import { letScansWait } from './scan-turns.ts'

const ENVIRONMENT = 7 as EnvironmentId
const USERS = 20_000

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
  await test.database.query(
    `insert into users (environment_id, id, attributes, created_at, name_key, signed_up_at_key, last_seen_at_key)
     select $1::int, 'u' || n, jsonb_build_object('n', n % 10), now(), '', '', '' from generate_series(1, ${USERS}) as n`,
    [ENVIRONMENT],
  )
  await test.database.pool.query('analyze users')
})
afterAll(async () => await test.close())

const request = {
  environmentId: ENVIRONMENT,
  condition: {
    any: [{ attribute: 'n', is: 'equals', value: 3 }, { not: { attribute: 'n', is: 'at_least', value: 2 } }],
  },
  scope: 'user',
  segments: () => undefined,
  now: Date.now(),
} as const
const never = new AbortController().signal

/** The processes of PostgreSQL that count. */
async function running(): Promise<number[]> {
  const rows = await test.database.query<{ pid: number }>(
    `select pid from pg_stat_activity
      where query like '%line\\_0%' and state = 'active' and pid <> pg_backend_pid() and datname = current_database()`,
    [],
  )
  return rows.map(({ pid }) => pid)
}

/** Nobody can read users until the returned function is called. */
async function blockUsers(): Promise<() => Promise<void>> {
  const client = await test.database.pool.connect()
  await client.query('begin; lock table users in access exclusive mode')
  return async () => {
    await client.query('rollback')
    client.release()
  }
}

it('counts the whole, and each leaf by itself', async () => {
  const counter = new ConditionCounter(test.database)
  expect(await counter.count(request as never, never)).toEqual({
    whole: USERS * 0.3,
    total: USERS,
    lines: [USERS * 0.1, USERS * 0.8],
    exact: true,
    margin: undefined,
  })
})

it('the server that has the users plans a count as the count asks, and warns of nothing', async () => {
  const client = test.database.ownClient(COUNT_SETTINGS)
  const notices: string[] = []
  client.on('notice', ({ message }) => notices.push(message ?? ''))
  await client.connect()
  try {
    await beginCount(client, test.database.isDistributed, 4_321)
    const names = ['jit', 'max_parallel_workers_per_gather', 'work_mem', 'statement_timeout']
    const { rows } = await client.query(
      `select ${names.map((name) => `current_setting('${name}') as ${name}`)} from users where environment_id = ${ENVIRONMENT} limit 1`,
    )
    expect(rows).toEqual([
      { jit: 'off', max_parallel_workers_per_gather: '0', work_mem: '32MB', statement_timeout: '4321ms' },
    ])
    expect(notices).toEqual([])
  } finally {
    await client.end()
  }
})

it('is an estimate with its margin when it takes too long', async () => {
  const { whole, total, lines, exact, margin } = await new ConditionCounter(test.database, 1).count(
    request as never,
    never,
  )
  expect([exact, lines.length, total]).toEqual([false, 2, undefined])
  // Five times as far off as 95 of 100 estimates are: one in a million would be further.
  expect(Math.abs(whole - USERS * 0.3)).toBeLessThan(2.5 * (margin as number))
})

it('one at a time runs in an environment, also of two nodes, and PostgreSQL ends it when its client goes away', async () => {
  const release = await blockUsers()
  const leaving = new AbortController()
  const counter = new ConditionCounter(test.database, 60_000)
  const left = counter.count(request as never, leaving.signal)
  left.catch(() => {})
  // The others begin when it has the lock: whoever comes first gets it.
  await expect.poll(running).toHaveLength(1)
  const [pid] = await running()
  const second = counter.count(request as never, never)
  const third = new ConditionCounter(test.database, 60_000).count(request as never, never)
  leaving.abort()
  await expect(left).rejects.toThrow()
  await expect.poll(async () => (await running()).map((each) => each === pid)).toEqual([false])
  await release()
  for (const { whole } of await Promise.all([second, third])) expect(whole).toBe(USERS * 0.3)
})

it('counts of many environments at once have a few connections', async () => {
  let open = 0
  let most = 0
  const database = new Proxy(test.database, {
    get: (target, name) => {
      if (name !== 'ownClient') return Reflect.get(target, name)
      return (...settings: Parameters<typeof target.ownClient>) => {
        const client = target.ownClient(...settings)
        open += 1
        most = Math.max(most, open)
        client.once('end', () => {
          open -= 1
        })
        return client
      }
    },
  })
  const counter = new ConditionCounter(database, 60_000)
  letScansWait(counter, LONGEST_WAIT_MS)
  const environments = Array.from({ length: 20 }, (_, index) => (100 + index) as EnvironmentId)
  const counts = environments.map((environmentId) => counter.count({ ...request, environmentId } as never, never))
  for (const count of await Promise.all(counts)) expect(count).toMatchObject({ whole: 0, exact: true })
  expect(most).toBeLessThan(6)
})

it('a count that takes long holds up no other environment, and no connection of the pool', async () => {
  const counter = new ConditionCounter(test.database, 60_000)
  const heavy = await test.database.pool.connect()
  await heavy.query('begin')
  await heavy.query('select pg_advisory_xact_lock($1::int, $2::int)', [advisoryLocks.environmentCount, ENVIRONMENT])
  const before = test.database.pool.totalCount
  const own = Array.from({ length: 10 }, () => counter.count(request as never, never))
  const neighbour = { ...request, environmentId: 8 as EnvironmentId }
  expect(await counter.count(neighbour as never, never)).toMatchObject({ whole: 0, exact: true })
  expect(test.database.pool.totalCount).toBe(before)
  // More than ten that wait are refused: they would only wait longer.
  await expect(counter.count(request as never, never)).rejects.toMatchObject({ code: 'overloaded' })
  await heavy.query('rollback')
  heavy.release()
  for (const { whole } of await Promise.all(own)) expect(whole).toBe(USERS * 0.3)
})
