import v8 from 'node:v8'
import vm from 'node:vm'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { Connection } from './connection.ts'
import { Database } from './database.ts'
import { isUnreachable } from './errors.ts'
import { StatementNames } from './statement-names.ts'

let test: TestDatabase
const opened: Connection[] = []

beforeAll(async () => {
  test = await createTestDatabase()
})
afterEach(async () => {
  for (const connection of opened.splice(0)) await connection.end()
})
afterAll(() => test.close())

async function open(mostSilentMs: number): Promise<Connection> {
  const options = { connectionString: test.url, mostSilentMs, pipeline: true, names: new StatementNames() }
  const connection = new Connection(options)
  connection.on('error', () => {})
  await connection.connect()
  opened.push(connection)
  return connection
}

it('all statements on a connection fail when PostgreSQL stops answering', async () => {
  const connection = await open(1_500)
  const { rows } = await connection.execute<{ pid: number }>({ text: 'select pg_backend_pid() as pid' })
  const pid = rows[0]?.pid as number
  process.kill(pid, 'SIGSTOP')
  try {
    const outcomes = await Promise.allSettled(Array.from({ length: 3 }, () => connection.execute({ text: 'select 1' })))
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { message: /nothing was answered for 1500 ms/ } })
      expect(isUnreachable((outcome as PromiseRejectedResult).reason)).toBe(true)
    }
    await expect(connection.execute({ text: 'select 1' })).rejects.toSatisfy(isUnreachable)
  } finally {
    process.kill(pid, 'SIGCONT')
  }
})

it('statements may take longer together than one alone, and a connection may be idle for any time', async () => {
  const connection = await open(2_000)
  const slow = { text: 'select pg_sleep(0.6)' }
  await Promise.all(Array.from({ length: 4 }, () => connection.execute(slow)))
  await new Promise((resolve) => setTimeout(resolve, 2_200))
  await connection.execute(slow)
})

it('answers that arrived while this process was suspended are read', async () => {
  const connection = await open(1_000)
  await connection.execute({ text: 'select 1' })
  const answer = connection.execute<{ n: number }>({ text: 'select 2 as n' })
  await new Promise(setImmediate)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000)
  expect((await answer).rows).toEqual([{ n: 2 }])
})

it('a failed statement does not affect those after it, and blocks none', async () => {
  const connection = await open(10_000)
  const outcomes = await Promise.allSettled(
    ['select 1', 'select 1/0', 'select no such', 'select 2 as n'].map((text) => connection.execute({ text })),
  )
  expect(outcomes).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { code: '22012' } },
    { status: 'rejected', reason: { code: '42703' } },
    { status: 'fulfilled', value: { rows: [{ n: 2 }] } },
  ])
})

it('unreferenced rows are freed by the next minor garbage collections', async () => {
  v8.setFlagsFromString('--expose-gc')
  const collect = vm.runInNewContext('gc') as (options: { type: 'minor' | 'major' }) => void
  const oldBytes = () =>
    v8.getHeapSpaceStatistics().find((space) => space.space_name === 'old_space')?.space_used_size as number
  const connection = await open(10_000)
  const text = "select i::text as id, repeat('x', 200) || i as attributes from generate_series(1, 200) as i"
  const readMuch = async () => {
    for (let count = 0; count < 100; count += 1) await connection.execute({ name: 'rows', text })
    collect({ type: 'minor' })
    collect({ type: 'minor' })
  }
  await readMuch()
  collect({ type: 'major' })
  const before = oldBytes()
  await readMuch()
  // With the promises of the driver it is 6.4 MB.
  expect(oldBytes() - before).toBeLessThan(1_000_000)
})

it('no connection of the pool lets PostgreSQL compile plans, whatever the default of the database is', async () => {
  await test.database.queryUnprepared(`alter database ${test.connection.database} set jit = on`, [])
  const { connection, database } = test
  const limits = { connections: 1, statementTimeoutMs: 20_000, lockTimeoutMs: 5_000 }
  const other = new Database({ connection, ...limits, isDistributed: database.isDistributed })
  try {
    expect(
      await other.query(`select current_setting('jit') as jit, reset_val from pg_settings where name = 'jit'`, []),
    ).toEqual([{ jit: 'off', reset_val: 'on' }])
  } finally {
    await other.close()
  }
})
