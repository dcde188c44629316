import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { Database } from './database.ts'

let test: TestDatabase
let database: Database
const CONNECTIONS = 3

beforeAll(async () => {
  test = await createTestDatabase()
  database = new Database({
    connection: { connectionString: test.url },
    connections: CONNECTIONS,
    statementTimeoutMs: 10_000,
    lockTimeoutMs: 5_000,
  })
})
afterAll(async () => {
  await database.close()
  await test.close()
})

const backend = async () =>
  (await database.query<{ pid: number }>('select pg_backend_pid() as pid', []))[0]?.pid as number
const slow = async (seconds: number) =>
  (await database.query<{ pid: number }>('select pg_backend_pid() as pid, pg_sleep($1::float8)', [seconds]))[0]?.pid

it('each statement gets a separate connection while there are free ones', async () => {
  const pids = await Promise.all(Array.from({ length: CONNECTIONS }, () => slow(0.2)))
  expect(new Set(pids).size).toBe(CONNECTIONS)
})

it('many more statements than connections are all answered, each with its own result', async () => {
  const numbers = Array.from({ length: 500 }, (_, index) => index)
  const rows = await Promise.all(
    numbers.map((number) => database.query<{ n: number }>('select $1::int as n', [number])),
  )
  expect(rows.map(([row]) => row?.n)).toEqual(numbers)
  expect(database.pool.totalCount).toBe(CONNECTIONS)
  expect(database.pool.idleCount).toBe(CONNECTIONS)
})

it('a failed statement does not affect others on the same connection', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 60 }, (_, index) => database.query<{ n: number }>('select 100 / $1::int as n', [index % 3])),
  )
  outcomes.forEach((outcome, index) => {
    if (index % 3 === 0) expect(outcome).toMatchObject({ status: 'rejected', reason: { code: '22012' } })
    else expect(outcome).toMatchObject({ status: 'fulfilled', value: [{ n: 100 / (index % 3) }] })
  })
  expect(database.pool.idleCount).toBe(CONNECTIONS)
})

it('a slow statement delays at most one other', async () => {
  const blocked = slow(2)
  const startedAt = performance.now()
  const took = await Promise.all(
    Array.from({ length: 50 }, async () => {
      await backend()
      return performance.now() - startedAt
    }),
  )
  expect(took.filter((ms) => ms > 1_000).length).toBeLessThanOrEqual(1)
  await blocked
})

it('a transaction gets a connection under a continuous load of statements', async () => {
  let over = false
  const readers = Array.from({ length: 20 }, async () => {
    while (!over) await backend()
  })
  await sleep(50)
  for (let count = 0; count < 20; count += 1) {
    const transaction = await database.begin()
    await transaction.query('select 1', [])
    await transaction.commit()
  }
  over = true
  await Promise.all(readers)
  expect(database.pool.idleCount).toBe(CONNECTIONS)
})

it('statements are answered although transactions hold all connections nearly all the time', async () => {
  let over = false
  const writers = Array.from({ length: 10 }, async () => {
    while (!over) {
      const transaction = await database.begin()
      await transaction.query('select pg_sleep(0.01)', [])
      await transaction.commit()
    }
  })
  await sleep(50)
  const pids = await Promise.all(Array.from({ length: 20 }, backend))
  expect(pids).not.toContain(undefined)
  over = true
  await Promise.all(writers)
})

it('a waiting statement gets the connection that a transaction releases, while all others stay busy', async () => {
  const transaction = await database.begin()
  await transaction.query('select 1', [])
  const slowOnes = Array.from({ length: 2 * (CONNECTIONS - 1) }, () => slow(1))
  await sleep(50)
  const startedAt = performance.now()
  const waiting = Promise.all(Array.from({ length: 10 }, backend))
  await sleep(50)
  await transaction.commit()
  await waiting
  expect(performance.now() - startedAt).toBeLessThan(800)
  await Promise.all(slowOnes)
})

it('when a connection breaks, the statements on it fail, and the next ones get another', async () => {
  const killer = new pg.Client({ connectionString: test.url })
  await killer.connect()
  const running = Promise.allSettled(Array.from({ length: 2 * CONNECTIONS }, () => slow(3)))
  await sleep(300)
  await killer.query(`select pg_terminate_backend(pid) from pg_stat_activity
                       where datname = current_database() and query like '%pg_sleep%' and pid <> pg_backend_pid()`)
  await killer.end()
  expect((await running).map(({ status }) => status)).toEqual(Array(2 * CONNECTIONS).fill('rejected'))
  expect(await Promise.all(Array.from({ length: 20 }, backend))).not.toContain(undefined)
})

it('without a database all waiting statements fail as soon as connecting fails', async () => {
  const nowhere = new Database({
    connection: { host: '/nowhere', port: 5432, database: 'x', user: 'x' },
    connections: 2,
    statementTimeoutMs: 10_000,
    lockTimeoutMs: 5_000,
  })
  const startedAt = performance.now()
  const answers = await Promise.allSettled(Array.from({ length: 200 }, () => nowhere.query('select 1', [])))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['rejected']))
  expect(performance.now() - startedAt).toBeLessThan(4_000)
  await nowhere.close()
})
