import fc from 'fast-check'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { silent } from '../../test/support/log.ts'
import { parseOperations } from '../attributes/operations.ts'
import type { EnvironmentId } from '../database/database.ts'
import { createServices } from '../services.ts'
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
  const services = createServices(test.database, silent)
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
  expect(await run(environmentId, jobs, true)).toEqual([100])
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
