import fc from 'fast-check'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { testServices } from '../../test/support/services.ts'
import { parseOperations } from '../attributes/operations.ts'
import { commandActor } from '../audit/record.ts'
import type { EnvironmentId } from '../database/database.ts'
import { creation, removal, update } from '../subscriptions/changes.ts'
import { requestedSubscription } from '../subscriptions/requested.ts'
import type { Job, RemoveJob, WriteJob } from './jobs.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

const operations = (attributes: object) => parseOperations(attributes as never)

function user(id: string, groups: string[] = [], prune = false, n = 1): WriteJob {
  const joined = groups.map((groupId) => ({
    ...{ id: groupId, operations: operations({ n: { add: n } }), membershipOperations: operations({ n: { add: n } }) },
    ...{ groupPath: '', membershipPath: '' },
  }))
  return { kind: 'user', id, operations: operations({ n: { add: n } }), groups: joined, prune }
}

function event(userId: string, groupId: string | null, n = 1): WriteJob {
  const time = '2026-01-03T09:30:00Z'
  return { kind: 'event', name: 'x', userId, groupId, operations: operations({ n }), time, timeMs: Date.parse(time) }
}

const group = (id: string, n = 1): WriteJob => ({ kind: 'group', id, operations: operations({ n: { add: n } }) })
const membership = (userId: string, groupId: string): RemoveJob => ({ kind: 'remove_membership', userId, groupId })

/** Carries the jobs out, all at once or one after the other. Returns how many were in each transaction. */
async function run(environmentId: EnvironmentId, jobs: readonly Job[], together: boolean): Promise<number[]> {
  const services = testServices(test.database)
  const flushed = vi.spyOn(services.metrics, 'observeFlush')
  const submit = (job: Job) => services.commits.submit(services.writes as never, environmentId, job as never)
  if (together) await Promise.all(jobs.map(submit))
  else for (const job of jobs) await submit(job)
  return flushed.mock.calls.map(([count]) => count)
}

async function contentOf(environmentId: EnvironmentId): Promise<unknown> {
  const { pool } = test.database
  const read = async (columns: string, table: string) => {
    const from = `from ${table} where environment_id = $1`
    return (await pool.query(`select ${columns} ${from} order by ${columns}`, [environmentId])).rows
  }
  return {
    users: await read('id, attributes', 'users'),
    groups: await read('id, attributes', 'groups'),
    memberships: await read('user_id, group_id, attributes', 'group_memberships'),
    events: await read('user_id, group_id, attributes', 'events'),
  }
}

it('events and removals of memberships that alternate share transactions', async () => {
  const environmentId = await createEnvironment(test.database)
  await run(environmentId, [user('u', ['g']), event('u', 'g')], false)
  const jobs = Array.from({ length: 100 }, (_, index) => (index % 2 ? membership('u', 'g') : event('u', 'g')))
  const [first, ...others] = await run(environmentId, jobs, true)
  // A transaction takes half of the jobs that are there, whatever their kinds. Behind one that is slow there are fewer.
  expect(first).toBe(50)
  expect(others.length).toBeLessThan(8)
  expect(others.reduce((sum, count) => sum + count, 0)).toBe(50)
})

it('a subscription that is changed among events shares their transaction, and each event goes to it as it is then', async () => {
  const environmentId = await createEnvironment(test.database)
  const services = testServices(test.database)
  const flushed = vi.spyOn(services.metrics, 'observeFlush')
  const submit = <Result>(job: Job) =>
    services.commits.submit(services.writes as never, environmentId, job as never) as Promise<Result>
  const origin = { actor: commandActor(1), environment: 'production' }
  const create = () =>
    creation(requestedSubscription({ url: 'https://a.example/', topics: ['event'] }), origin, services.secrets)
  const first = await submit<{ id: string }>(create())
  const disabled = { url: undefined, topics: undefined, apiVersion: undefined, disabled: true }
  const track = (userId: string) => submit(event(userId, null))
  const [, second] = await Promise.all([
    track('before'),
    submit<{ id: string }>(create()),
    track('both'),
    submit(update(first.id, disabled, origin)),
    track('second'),
    submit(removal(first.id, origin)),
  ])
  await Promise.all([track('next'), submit(removal(second.id, origin)), track('nobody')])
  expect(flushed.mock.calls.map(([count]) => count)).toEqual([1, 6, 3])
  const sent = await test.database.query<{ user_id: string; subscription_id: string }>(
    `select user_id, subscription_id from webhook_deliveries
       join webhook_notifications using (environment_id)
      where environment_id = $1::int and webhook_notifications.id = notification_id`,
    [environmentId],
  )
  const received = ({ id }: { id: string }) =>
    sent.flatMap(({ user_id, subscription_id }) => (subscription_id === id ? [user_id] : [])).sort()
  expect([received(first), received(second)]).toEqual([
    ['before', 'both'],
    ['both', 'next', 'second'],
  ])
})

it('a removal and another write of the same object are in two transactions, in their order', async () => {
  const environmentId = await createEnvironment(test.database)
  const jobs: Job[] = [
    ...[user('a'), user('b'), { kind: 'remove_user', id: 'a' } as const],
    ...[user('c'), event('a', null), group('g'), { kind: 'remove_group', id: 'g' } as const],
    user('d', ['g']),
  ]
  expect(await run(environmentId, jobs, true)).toEqual([2, 2, 2, 1, 1])
  const content = await contentOf(environmentId)
  expect(content).toMatchObject({
    users: [{ id: 'b' }, { id: 'c' }, { id: 'd' }],
    groups: [{ id: 'g' }],
    events: [{ user_id: 'a' }],
  })
})

it('jobs of all kinds leave the same content together as one after the other', async () => {
  const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')
  const groupId = fc.constantFrom('x', 'y', 'z')
  const n = fc.integer({ min: 1, max: 99 })
  const job: fc.Arbitrary<Job> = fc.oneof(
    { weight: 3, arbitrary: fc.tuple(id, fc.uniqueArray(groupId), fc.boolean(), n).map((args) => user(...args)) },
    { weight: 3, arbitrary: fc.tuple(id, fc.option(groupId), n).map((args) => event(...args)) },
    fc.tuple(groupId, n).map((args) => group(...args)),
    { weight: 3, arbitrary: fc.tuple(id, groupId).map((args) => membership(...args)) },
    id.map((value) => ({ kind: 'remove_user', id: value }) as const),
    groupId.map((value) => ({ kind: 'remove_group', id: value }) as const),
  )
  for (const [jobs] of fc.sample(fc.tuple(fc.array(job, { minLength: 120, maxLength: 120 })), 4)) {
    const [together, alone] = [await createEnvironment(test.database), await createEnvironment(test.database)]
    await Promise.all([run(together, jobs, true), run(alone, jobs, false)])
    expect(await contentOf(together)).toEqual(await contentOf(alone))
  }
})
