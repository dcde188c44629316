import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, LONGEST_WAIT_MS, type TestDatabase } from '../../test/support/database.ts'
import { Database } from './database.ts'

let test: TestDatabase
let database: Database
let gatekeeper: pg.Client
const CONNECTIONS = 3

beforeAll(async () => {
  test = await createTestDatabase()
  database = new Database({
    connection: { connectionString: test.url },
    connections: CONNECTIONS,
    statementTimeoutMs: 120_000,
    lockTimeoutMs: 120_000,
  })
  gatekeeper = new pg.Client({ connectionString: test.url })
  await gatekeeper.connect()
})
afterAll(async () => {
  await gatekeeper.end()
  await database.close()
  await test.close()
})

const backend = async () =>
  (await database.query<{ pid: number }>('select pg_backend_pid() as pid', []))[0]?.pid as number

/** Statements that begin behind a closed gate are answered when it is opened. */
const close = () => gatekeeper.query('select pg_advisory_lock(1)')
const open = () => gatekeeper.query('select pg_advisory_unlock(1)')
const behindTheGate = () => database.query('select pg_advisory_xact_lock_shared(1)', [])

/** The connections whose statement stands before the gate. */
async function standing(): Promise<number[]> {
  const { rows } = await gatekeeper.query<{ pid: number }>(
    `select pid from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`,
  )
  return rows.map(({ pid }) => pid)
}

it('each statement gets a separate connection while there are free ones', async () => {
  await close()
  const waiting = Array.from({ length: CONNECTIONS }, behindTheGate)
  await expect.poll(standing).toHaveLength(CONNECTIONS)
  await open()
  await Promise.all(waiting)
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
  await close()
  const blocked = behindTheGate()
  let answered = 0
  const others = Array.from({ length: 50 }, async () => {
    await backend()
    answered += 1
  })
  await expect.poll(() => answered).toBeGreaterThanOrEqual(49)
  await open()
  await Promise.all([blocked, ...others])
})

it('a transaction gets a connection under a continuous load of statements', async () => {
  let over = false
  let answered = 0
  const readers = Array.from({ length: 20 }, async () => {
    for (; !over; answered += 1) await backend()
  })
  await expect.poll(() => answered).toBeGreaterThan(100)
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
  let committed = 0
  const writers = Array.from({ length: 10 }, async () => {
    for (; !over; committed += 1) {
      const transaction = await database.begin()
      await transaction.query('select pg_sleep(0.01)', [])
      await transaction.commit()
    }
  })
  await expect.poll(() => committed).toBeGreaterThan(10)
  const pids = await Promise.all(Array.from({ length: 20 }, backend))
  expect(pids).not.toContain(undefined)
  over = true
  await Promise.all(writers)
})

it('a waiting statement gets the connection that a transaction releases, while all others stay busy', async () => {
  const transaction = await database.begin()
  await transaction.query('select 1', [])
  await close()
  const busy = Array.from({ length: 2 * (CONNECTIONS - 1) }, behindTheGate)
  await expect.poll(standing).toHaveLength(CONNECTIONS - 1)
  const waiting = Promise.all(Array.from({ length: 10 }, backend))
  await transaction.commit()
  await waiting
  expect(await standing()).toHaveLength(CONNECTIONS - 1)
  await open()
  await Promise.all(busy)
})

it('when a connection breaks, the statements on it fail, and the next ones get another', async () => {
  await close()
  const running = Promise.allSettled(Array.from({ length: 2 * CONNECTIONS }, behindTheGate))
  await expect.poll(standing).toHaveLength(CONNECTIONS)
  await gatekeeper.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [await standing()])
  expect((await running).map(({ status }) => status)).toEqual(Array(2 * CONNECTIONS).fill('rejected'))
  await open()
  expect(await Promise.all(Array.from({ length: 20 }, backend))).not.toContain(undefined)
})

it('without a database all waiting statements fail as soon as connecting fails', async () => {
  const nowhere = new Database({
    connection: { host: '/nowhere', port: 5432, database: 'x', user: 'x', connectionTimeoutMillis: LONGEST_WAIT_MS },
    connections: 2,
    statementTimeoutMs: LONGEST_WAIT_MS,
    lockTimeoutMs: LONGEST_WAIT_MS,
  })
  const answers = await Promise.allSettled(Array.from({ length: 200 }, () => nowhere.query('select 1', [])))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['rejected']))
  await nowhere.close()
})
