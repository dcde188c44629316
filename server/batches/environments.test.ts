import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { attributeInputs } from '../../test/support/attribute-inputs.ts'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { addSubscription } from '../../test/support/deliveries.ts'
import { testServices } from '../../test/support/services.ts'
import { parseOperations } from '../attributes/operations.ts'
import type { EnvironmentId } from '../database/database.ts'
import { ApiError } from '../errors.ts'
import { submitOnce } from '../idempotency/run-once.ts'
import type { Services } from '../services.ts'
import type { UpsertUserJob, WriteJob } from '../writes/jobs.ts'

/** Batches that hold jobs of several environments. On a cluster a batch holds one: there the same is true of batches at once. */
const { isDistributed } = inject('cluster')

let test: TestDatabase

beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

async function createEnvironments(count: number): Promise<EnvironmentId[]> {
  const environments: EnvironmentId[] = []
  for (let made = 0; made < count; made += 1) environments.push(await createEnvironment(test.database))
  return environments
}

function upsert(id: string, attributes: Record<string, unknown>): UpsertUserJob {
  return { kind: 'user', id, operations: parseOperations(attributes as never), groups: [], prune: false }
}

function event(name: string, attributes: Record<string, unknown> = {}): WriteJob {
  const time = '2026-01-03T09:30:00.000Z'
  const operations = parseOperations(attributes as never)
  return { kind: 'event', name, userId: 'u', groupId: null, operations, time, timeMs: Date.parse(time) }
}

async function attributesIn(environmentId: EnvironmentId, id: string): Promise<unknown> {
  const [row] = await test.database.query<{ attributes: string }>(
    'select attributes from users where environment_id = $1::int and id = $2::text',
    [environmentId, id],
  )
  return row && JSON.parse(row.attributes)
}

describe('a batch of several environments', () => {
  it('is one transaction, and writes each job into its own environment', async () => {
    const services = testServices(test.database)
    const environments = await createEnvironments(4)
    const write = (value: number) =>
      Promise.all(environments.map((id, index) => services.write(id, upsert('same', { n: index * 10 + value }))))
    for (const value of [1, 2]) {
      await write(value)
      const stored = await Promise.all(environments.map((id) => attributesIn(id, 'same')))
      expect(stored).toEqual(environments.map((_, index) => ({ n: index * 10 + value })))
      const [row] = await test.database.query<{ count: number }>(
        `select count(distinct xmin::text)::int as count from users where environment_id = any($1::int[])`,
        [environments],
      )
      if (!isDistributed) expect(row?.count).toBe(1)
    }
  })

  it('stores quick events of all environments in one statement, each in its own environment', async () => {
    const services = testServices(test.database)
    const environments = await createEnvironments(3)
    await addSubscription(test.database, environments[1] as EnvironmentId, 'http://127.0.0.1:1/')
    const track = (count: number) =>
      Promise.all(
        environments.flatMap((id, of) => Array.from({ length: count }, () => services.write(id, event(`e${of}`)))),
      )
    await track(1)
    await track(1)
    const ids = (await track(2)).map(({ id }) => id)
    const rows = await test.database.query<{ environment_id: EnvironmentId; name: string; xmin: string }>(
      `select environment_id, name, xmin::text from events where id = any($1::uuid[]) order by environment_id`,
      [ids],
    )
    expect(rows.map(({ environment_id, name }) => [environment_id, name])).toEqual(
      environments.flatMap((id, of) => [
        [id, `e${of}`],
        [id, `e${of}`],
      ]),
    )
    if (!isDistributed) expect(new Set(rows.map(({ xmin }) => xmin)).size).toBe(1)
    const deliveries = await test.database.query<{ environment_id: EnvironmentId; count: number }>(
      `select environment_id, count(*)::int from webhook_deliveries where environment_id = any($1::int[]) group by 1`,
      [environments],
    )
    expect(deliveries).toEqual([{ environment_id: environments[1], count: 4 }])
  })

  it('notifies subscriptions that another node has created, in their own environment', async () => {
    const services = testServices(test.database)
    const environments = await createEnvironments(3)
    const track = () => Promise.all(environments.map((id) => services.write(id, event('e'))))
    await track()
    await track()
    // The first is compared with no subscriptions in all environments, the second with those that are known by then.
    for (const index of [2, 0]) {
      await addSubscription(test.database, environments[index] as EnvironmentId, 'http://127.0.0.1:1/')
      await track()
      await track()
    }
    const deliveries = await test.database.query(
      `select environment_id, count(*)::int from webhook_deliveries
        where environment_id = any($1::int[]) group by 1 order by 1`,
      [environments],
    )
    expect(deliveries).toEqual([
      { environment_id: environments[0], count: 2 },
      { environment_id: environments[2], count: 4 },
    ])
  })

  it('fails one job alone, whether the server or PostgreSQL refuses it', async () => {
    const services = testServices(test.database)
    const environments = await createEnvironments(5)
    await Promise.all(environments.map((id) => services.write(id, upsert('u', { text: 'a' }))))
    const refused = [{ text: { add: 1 } }, { text: 'a\0b' }]
    for (const [index, attributes] of refused.entries()) {
      const results = await Promise.allSettled(
        environments.flatMap((id, of) => [
          services.write(id, upsert('u', { n: { add: 1 } })),
          services.write(id, upsert('u', of === 2 ? attributes : { n: { add: 1 } })),
        ]),
      )
      const failed = results.flatMap(({ status }, at) => (status === 'rejected' ? [at] : []))
      expect(failed).toEqual([5])
      if (index === 0) expect((results[5] as PromiseRejectedResult).reason).toBeInstanceOf(ApiError)
    }
    const counts = await Promise.all(environments.map((id) => attributesIn(id, 'u')))
    expect(counts).toEqual([4, 4, 2, 4, 4].map((n) => ({ text: 'a', n })))
  })
})

describe('a lock that another session holds in one environment', () => {
  it('delays only its own environment, neither jobs in the same batch nor later ones', async () => {
    const services = testServices(test.database)
    const environments = await createEnvironments(6)
    const [locked, ...free] = environments.slice(0, 4) as [EnvironmentId, ...EnvironmentId[]]
    const later = environments.slice(4)
    await Promise.all(environments.map((id) => services.write(id, upsert('u', {}))))
    const holder = await test.database.pool.connect()
    await holder.query('begin')
    await holder.query("select from users where environment_id = $1 and id = 'u' for update", [locked])
    const answered: string[] = []
    const write = (id: EnvironmentId, what: string, attributes: Record<string, unknown>) =>
      services.write(id, upsert('u', attributes)).then(() => void answered.push(what))
    const waiting = [write(locked, 'locked 1', { n: { add: 1 }, order: 'first' })]
    await Promise.all(free.map((id) => write(id, 'free', { n: { add: 1 } })))
    waiting.push(write(locked, 'locked 2', { n: { add: 1 }, order: 'second' }))
    await Promise.all([...free, ...later].map((id) => write(id, 'later', { n: { add: 1 } })))
    expect(answered).toEqual([...Array(3).fill('free'), ...Array(5).fill('later')])
    await holder.query('commit')
    holder.release()
    await Promise.all(waiting)
    expect(answered.slice(-2)).toEqual(['locked 1', 'locked 2'])
    expect(await attributesIn(locked, 'u')).toEqual({ n: 2, order: 'second' })
    expect(services.commits.depth).toBe(0)
  })

  it('lets the waiting job see what the holder of the lock has written', async () => {
    const services = testServices(test.database)
    const environments = await createEnvironments(3)
    await Promise.all(environments.map((id) => services.write(id, upsert('u', { n: 1 }))))
    const holder = await test.database.pool.connect()
    await holder.query('begin')
    await holder.query(`update users set attributes = '{"n":41}' where environment_id = any($1) and id = 'u'`, [
      environments,
    ])
    const writes = Promise.all(environments.map((id) => services.write(id, upsert('u', { n: { add: 1 } }))))
    const waiting = isDistributed
      ? 'select from citus_lock_waits'
      : `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    await expect.poll(() => test.database.query(waiting, [])).toHaveLength(isDistributed ? environments.length : 1)
    await holder.query('commit')
    holder.release()
    await writes
    expect(await Promise.all(environments.map((id) => attributesIn(id, 'u')))).toEqual(Array(3).fill({ n: 42 }))
  })
})

it('keeps equal idempotency keys of environments apart, and replaces an expired key in its own environment alone', async () => {
  const services = testServices(test.database)
  const environments = await createEnvironments(3)
  const add = (environmentId: EnvironmentId) =>
    submitOnce(services.commits, services.writes, environmentId, upsert('u', { n: { add: 1 } }), {
      key: 'same',
      fingerprint: '5a',
      answer: ({ attributesJson }) => attributesJson,
    })
  const addInAll = () => Promise.all([...environments, ...environments].map(add))
  const answers = (bodies: string[], isReplay: boolean[]) =>
    bodies.map((body, at) => ({ body, isReplay: isReplay[at] }))
  const [first, again] = ['{"n": 1}', '{"n": 2}']
  expect(await addInAll()).toEqual(answers(Array(6).fill(first), [false, false, false, true, true, true]))
  expect(await addInAll()).toEqual(answers(Array(6).fill(first), Array(6).fill(true)))
  const old = environments.slice(0, 2)
  await test.database.query(
    'update idempotency_keys set created_at = $2::timestamptz where environment_id = any($1::int[])',
    [old, new Date(Date.now() - 25 * 60 * 60_000).toISOString()],
  )
  const bodies = [again, again, first] as string[]
  expect(await addInAll()).toEqual(answers([...bodies, ...bodies], [false, false, true, true, true, true]))
  const counts = await Promise.all(environments.map((id) => attributesIn(id, 'u')))
  expect(counts).toEqual([{ n: 2 }, { n: 2 }, { n: 1 }])
})

/** A sequence of writes of one environment, with few ids, so that writes conflict. */
const id = fc.constantFrom('a', 'b', 'c')
const operations = attributeInputs.map((inputs) => parseOperations(inputs as never))
const groupPart = fc.record({ id, operations, membershipOperations: operations }).map((part) => ({
  ...part,
  groupPath: 'memberships.0.group',
  membershipPath: 'memberships.0',
}))
const job: fc.Arbitrary<WriteJob> = fc.oneof(
  fc.record({
    kind: fc.constant('user' as const),
    id,
    operations,
    groups: fc.uniqueArray(groupPart, { maxLength: 2, selector: (part) => part.id }),
    prune: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('group' as const), id, operations }),
  fc
    .record({ name: fc.constantFrom('x', 'y'), operations })
    .map(({ name, operations }) => ({ ...event(name), operations }) as WriteJob),
)

/** The content of an environment, without ids and times that the service assigns. */
async function contentOf(environmentId: EnvironmentId): Promise<unknown> {
  const queries = [
    'select id, attributes, name_key from users where environment_id = $1::int order by id',
    'select id, attributes, name_key from groups where environment_id = $1::int order by id',
    'select user_id, group_id, attributes from group_memberships where environment_id = $1::int order by 1, 2',
    'select name, user_id, attributes from events where environment_id = $1::int order by id',
    'select scope, name, data_type from attribute_definitions where environment_id = $1::int order by 1, 2',
    'select event_name, attribute_name from event_attribute_uses where environment_id = $1::int order by 1, 2',
    `select topic, (object::jsonb - 'created_at' - 'id') ->> 'attributes' as attributes, user_id from webhook_notifications where environment_id = $1::int order by id`,
    'select count(*)::int from webhook_deliveries where environment_id = $1::int',
  ]
  return await Promise.all(queries.map((query) => test.database.query(query, [environmentId])))
}

async function runHistories(services: Services, environments: readonly EnvironmentId[], histories: WriteJob[][]) {
  const outcomes = await Promise.all(
    histories.map((history, index) =>
      Promise.allSettled(history.map((each) => services.write(environments[index] as EnvironmentId, each))),
    ),
  )
  return outcomes.map((results) =>
    results.map((result) => (result.status === 'fulfilled' ? result.value.attributesJson : String(result.reason))),
  )
}

it('leaves in every environment the same content as the same writes in a single environment', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(job, { minLength: 1, maxLength: 8 }), { minLength: 2, maxLength: 5 }),
      async (histories) => {
        const together = await createEnvironments(histories.length)
        const alone = await createEnvironments(histories.length)
        for (const environments of [together, alone])
          await addSubscription(test.database, environments[0] as EnvironmentId, 'http://127.0.0.1:1/')
        const answers = await runHistories(testServices(test.database), together, histories)
        const apart = testServices(test.database, { oneEnvironmentPerBatch: true })
        expect(answers).toEqual(await runHistories(apart, alone, histories))
        for (const [index, environmentId] of together.entries())
          expect(await contentOf(environmentId)).toEqual(await contentOf(alone[index] as EnvironmentId))
      },
    ),
    { numRuns: inject('isLong') ? 60 : 20 },
  )
})
