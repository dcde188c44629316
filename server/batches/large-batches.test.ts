import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { addSubscription } from '../../test/support/deliveries.ts'
import { insertManyGroupsOf } from '../../test/support/many-memberships.ts'
import { testServices } from '../../test/support/services.ts'
import { parseOperations } from '../attributes/operations.ts'
import { ByteBudget } from '../database/byte-budget.ts'
import type { EnvironmentId } from '../database/database.ts'
import { submitOnce } from '../idempotency/run-once.ts'
import type { TrackEventJob, UpsertUserJob } from '../writes/jobs.ts'

const MEBIBYTE = 1024 * 1024
/** What a transaction reads or writes, and a little for the rest of its rows. */
const MOST_BYTES = 16.5 * MEBIBYTE
const JOBS = 75
const { isDistributed } = inject('cluster')

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(() => test.close())

const text = 'x'.repeat(8_000)
/** A batch of them takes all that waits. */
const services = () => testServices(test.database, { hasWorkersBeside: true })

/** Nearly as much as an object may have. */
const large = Object.fromEntries(Array.from({ length: 31 }, (_, index) => [`text_${index}`, text]))

function upsert(id: string, attributes: object): UpsertUserJob {
  return { kind: 'user', id, operations: parseOperations(attributes as never), groups: [], prune: false }
}

function event(attributes: object): TrackEventJob {
  const time = '2026-01-03T09:30:00.000Z'
  const operations = parseOperations(attributes as never)
  return { kind: 'event', name: 'large', userId: 'u', groupId: null, operations, time, timeMs: Date.parse(time) }
}

const numbers = Array.from({ length: JOBS }, (_, index) => index)

async function withLargeUsers(): Promise<EnvironmentId> {
  const environmentId = await createEnvironment(test.database)
  await test.database.query(
    `insert into users (environment_id, id, attributes, created_at, name_key, signed_up_at_key, last_seen_at_key)
     select $1::int, 'u' || number, $2::jsonb, now(), '', '', '' from unnest($3::int[]) as number`,
    [environmentId, JSON.stringify(large), numbers],
  )
  return environmentId
}

/** The bytes of rows that each later transaction hands to its work. */
function watchReads(): number[] {
  const reads: number[] = []
  const begin = test.database.begin.bind(test.database)
  vi.spyOn(test.database, 'begin').mockImplementation(async (...parameters) => {
    const transaction = await begin(...parameters)
    const query = transaction.query.bind(transaction)
    const index = reads.push(0) - 1
    transaction.query = async (sql, values) => {
      const rows = await query<never>(sql, values)
      reads[index] = (reads[index] as number) + JSON.stringify(rows).length
      return rows
    }
    return transaction
  })
  return reads
}

/** The bytes of attributes that each transaction has written. */
async function writtenBytes(table: 'users' | 'events', environmentIds: EnvironmentId[]): Promise<number[]> {
  const rows = await test.database.query<{ bytes: number }>(
    `select sum(octet_length(attributes::text))::int as bytes from ${table}
      where environment_id = any($1::int[]) group by xmin::text`,
    [environmentIds],
  )
  return rows.map(({ bytes }) => bytes)
}

describe('a batch of large objects', () => {
  it('is divided into transactions that read and write a bounded number of bytes, in the order of its jobs', async () => {
    const environmentId = await withLargeUsers()
    const { write } = services()
    const reads = watchReads()
    const changes = numbers.flatMap((number) => [{ n: number }, { n: { add: 1 } }].map((n) => upsert(`u${number}`, n)))
    const answers = await Promise.all(changes.map((job) => write(environmentId, job)))
    expect(answers.map(({ attributesJson }) => JSON.parse(attributesJson).n)).toEqual(
      numbers.flatMap((number) => [number, number + 1]),
    )
    expect(Math.max(...reads)).toBeLessThan(MOST_BYTES)
    const written = await writtenBytes('users', [environmentId])
    expect(Math.max(...written)).toBeLessThan(MOST_BYTES)
    expect(written.length).toBeLessThan(JOBS / 4)
  })

  it('is divided when nothing is known of its objects before', async () => {
    const environmentId = await createEnvironment(test.database)
    const { write } = services()
    await Promise.all(numbers.map((number) => write(environmentId, upsert(`new${number}`, large))))
    await Promise.all(numbers.map(() => write(environmentId, event(large))))
    for (const table of ['users', 'events'] as const) {
      const written = await writtenBytes(table, [environmentId])
      expect(Math.max(...written)).toBeLessThan(MOST_BYTES)
      expect(written.reduce((sum, bytes) => sum + bytes)).toBeGreaterThan(JOBS * 240_000)
    }
  })

  it('of several environments is divided, and carries out each job with a key once', async () => {
    const environments = await Promise.all([withLargeUsers(), withLargeUsers()])
    const { commits, writes } = services()
    const reads = watchReads()
    const add = (environmentId: EnvironmentId, number: number) => {
      const once = { key: `large ${number}`, fingerprint: 'f'.repeat(64), answer: () => '{}' }
      return submitOnce(commits, writes, environmentId, upsert(`u${number}`, { n: { add: 1 } }), once)
    }
    const addToAll = () => Promise.all(environments.flatMap((id) => numbers.map((number) => add(id, number))))
    expect(new Set((await addToAll()).map(({ isReplay }) => isReplay))).toEqual(new Set([false]))
    expect(new Set((await addToAll()).map(({ isReplay }) => isReplay))).toEqual(new Set([true]))
    expect(Math.max(...reads)).toBeLessThan(MOST_BYTES)
    expect(Math.max(...(await writtenBytes('users', environments)))).toBeLessThan(MOST_BYTES)
    const [row] = await test.database.query<{ sum: number }>(
      `select sum((attributes ->> 'n')::int)::int as sum from users where environment_id = any($1::int[])`,
      [environments],
    )
    expect(row?.sum).toBe(2 * JOBS)
  })
})

it('a batch is carried out once when the rows of its last statements are beyond what it may read', async () => {
  const environmentId = await withLargeUsers()
  await addSubscription(test.database, environmentId, 'http://127.0.0.1:9/hook')
  const { write } = services()
  const ids = ['filler', ...numbers.slice(0, 67).map((number) => `u${number}`)]
  const begin = vi.spyOn(test.database, 'begin')
  const addToAll = async () => {
    begin.mockClear()
    const answers = await Promise.all(ids.map((id) => write(environmentId, upsert(id, { n: { add: 1 } }))))
    const batches = begin.mock.calls.filter(([, most]) => most !== undefined)
    return [batches.length, new Set(answers.map(({ attributesJson }) => JSON.parse(attributesJson).n))]
  }
  expect(await addToAll()).toEqual([1, new Set([1])])
  const mayKeep = vi.spyOn(ByteBudget.prototype, 'mayKeep')
  expect(await addToAll()).toEqual([1, new Set([2])])
  const rows = mayKeep.mock.calls.map(([bytes]) => bytes)
  const sum = (of: readonly number[]) => of.reduce((before, bytes) => before + bytes, 0)
  // The last rows are those of the deliveries, one for each user. Half of them are to be too many.
  const missing = 16 * MEBIBYTE - sum(rows) + Math.floor(sum(rows.slice(-ids.length)) / 2)
  await test.database.query(
    `update users set attributes = attributes || jsonb_build_object('text', repeat('x', $2::int))
      where environment_id = $1::int and id = 'filler'`,
    [environmentId, missing],
  )
  expect(await addToAll()).toEqual([1, new Set([3])])
  const deliveries = await test.database.query('select from webhook_deliveries where environment_id = $1::int', [
    environmentId,
  ])
  expect(deliveries).toHaveLength(3 * ids.length)
})

it('a write that removes a user from other groups reads none of the attributes of these memberships', async () => {
  const environmentId = await withLargeUsers()
  const { write } = services()
  await insertManyGroupsOf(test.database, environmentId, 'u1', 200)
  await test.database.query('update group_memberships set attributes = $2::jsonb where environment_id = $1::int', [
    environmentId,
    JSON.stringify(large),
  ])
  const reads = watchReads()
  const kept = { id: 'g1', operations: [], membershipOperations: parseOperations({ role: 'owner' }) }
  const group = { ...kept, groupPath: 'group', membershipPath: '' }
  await write(environmentId, { ...upsert('u1', {}), groups: [group], prune: true })
  const rows = await test.database.query<{ group_id: string; merged: boolean }>(
    'select group_id, attributes = $2::jsonb as merged from group_memberships where environment_id = $1::int',
    [environmentId, JSON.stringify({ ...large, role: 'owner' })],
  )
  expect(rows).toEqual([{ group_id: 'g1', merged: true }])
  // The user and one membership.
  expect(Math.max(...reads)).toBeLessThan(MEBIBYTE)
})

it.skipIf(isDistributed)('a batch of small objects is one transaction, however many they are', async () => {
  const environmentId = await createEnvironment(test.database)
  const { write } = services()
  await write(environmentId, upsert('first', {}))
  const count = async () => (await writtenBytes('users', [environmentId])).length
  const before = await count()
  await Promise.all(numbers.map((number) => write(environmentId, upsert(`small${number}`, { n: number }))))
  expect((await count()) - before).toBeLessThan(4)
})
