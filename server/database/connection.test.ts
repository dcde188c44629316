import { execFileSync } from 'node:child_process'
import type { Socket } from 'node:net'
import v8 from 'node:v8'
import vm from 'node:vm'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { Connection } from './connection.ts'
import { Database } from './database.ts'
import { isUnreachable } from './errors.ts'
import { StatementNames } from './statement-names.ts'

/** Its type, its length, and what is described: the portal without a name. */
const DESCRIBE_PORTAL = Buffer.from([0x44, 0, 0, 0, 6, 0x50, 0])

let test: TestDatabase
const opened: Connection[] = []

beforeAll(async () => {
  test = await createTestDatabase()
})
afterEach(async () => {
  vi.useRealTimers()
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

/** The silence of a connection is measured by a clock that the test drives. */
const driveClock = () => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })

it('all statements on a connection fail when PostgreSQL stops answering', async () => {
  driveClock()
  const connection = await open(1_500)
  const { rows } = await connection.execute<{ pid: number }>({ text: 'select pg_backend_pid() as pid' })
  const pid = rows[0]?.pid as number
  process.kill(pid, 'SIGSTOP')
  try {
    const sent = Promise.allSettled(Array.from({ length: 3 }, () => connection.execute({ text: 'select 1' })))
    vi.advanceTimersByTime(1_500)
    const outcomes = await sent
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { message: /nothing was answered for 1500 ms/ } })
      expect(isUnreachable((outcome as PromiseRejectedResult).reason)).toBe(true)
    }
    await expect(connection.execute({ text: 'select 1' })).rejects.toSatisfy(isUnreachable)
  } finally {
    process.kill(pid, 'SIGCONT')
  }
})

it('the columns of a prepared statement are asked for once, and its rows are read each time', async () => {
  const connection = await open(2_000)
  const { stream } = (connection as unknown as { connection: { stream: Socket } }).connection
  const write = vi.spyOn(stream, 'write')
  const named = { name: 'described', text: 'select $1::int as n, now() as at from generate_series(1, 2)' }
  const sentFor = async (values: unknown[]) => {
    write.mockClear()
    const { rows } = await connection.execute({ ...named, values })
    expect(rows.map(({ n, at }) => [n, at instanceof Date])).toEqual([0, 1].map(() => [values[0], true]))
    return Buffer.concat(write.mock.calls.map(([chunk]) => chunk as Buffer)).includes(DESCRIBE_PORTAL)
  }
  const asked = [await sentFor([1]), await sentFor([2]), await sentFor([3])]
  expect(asked).toEqual([true, false, false])
  const failed = connection.execute({ ...named, values: ['none'] })
  await expect(failed).rejects.toMatchObject({ code: '22P02' })
  expect(await sentFor([4])).toBe(false)
})

it('a statement whose columns change is refused, and not read by the columns that it had', async () => {
  const connection = await open(2_000)
  await connection.execute({ text: 'create temporary table changing (a int)' })
  const named = { name: 'changing', text: 'select * from changing' }
  expect((await connection.execute(named)).rows).toEqual([])
  await connection.execute({ text: 'alter table changing add column b int' })
  await expect(connection.execute(named)).rejects.toMatchObject({ code: '0A000' })
})

it('statements may take longer together than one alone, and a connection may be idle for any time', async () => {
  driveClock()
  const connection = await open(2_000)
  const holder = new pg.Client({ connectionString: test.url })
  await holder.connect()
  for (const lock of [1, 2, 3, 4, 5]) await holder.query('select pg_advisory_lock($1)', [lock])
  const send = (lock: number) => ({ lock, answer: connection.execute({ text: `select pg_advisory_lock(${lock})` }) })
  const answerLate = async ({ lock, answer }: ReturnType<typeof send>) => {
    await vi.advanceTimersByTimeAsync(1_900)
    await holder.query('select pg_advisory_unlock($1)', [lock])
    await answer
  }
  try {
    for (const sent of [1, 2, 3, 4].map(send)) await answerLate(sent)
    await vi.advanceTimersByTimeAsync(20_000)
    await answerLate(send(5))
  } finally {
    await holder.end()
  }
})

it('answers that arrived while this process was suspended are read', async () => {
  driveClock()
  const connection = await open(1_000)
  const { rows } = await connection.execute<{ pid: number }>({ text: 'select pg_backend_pid() as pid' })
  const answer = connection.execute<{ n: number }>({ text: 'select 2 as n' })
  await new Promise(setImmediate)
  // Nothing else runs in this process meanwhile.
  execFileSync(process.execPath, ['--input-type=module', '--eval', UNTIL_ANSWERED, test.url, String(rows[0]?.pid)])
  vi.advanceTimersByTime(2_000)
  expect((await answer).rows).toEqual([{ n: 2 }])
})

/** Waits until a session waits for its next statement, and has sent all answers. */
const UNTIL_ANSWERED = `
  import pg from 'pg'
  const [url, pid] = process.argv.slice(-2)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const answered = "select from pg_stat_activity where pid = $1 and query = 'select 2 as n' and wait_event = 'ClientRead'"
  while ((await client.query(answered, [pid])).rowCount === 0) {}
  await client.end()
`

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
