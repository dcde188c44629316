import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { createTestDatabase, type TestDatabase } from './support/database.ts'
import { eventually } from './support/deliveries.ts'
import { call, spawnServer } from './support/process.ts'
import { createKeys, startService, type TestService } from './support/service.ts'
import { withheldAnswers } from './support/withheld-answers.ts'

let test: TestDatabase
let nodes: [TestService, TestService]
let key: string
let otherKey: string
beforeAll(async () => {
  test = await createTestDatabase()
  ;[key, otherKey] = (await createKeys(test.database, 'self_hosted', ['Production', 'Other'])) as [string, string]
  nodes = [await startService(test), await startService(test)]
})
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()))
  await test.close()
})

async function ask(node: 0 | 1, method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(nodes[node].url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return { status: response.status, body: (await response.json()) as { id: string; data: { id: string }[] } }
}

it('what one node has stored, another lists in one order, reads and deletes, and both delete it once', async () => {
  const stored = await Promise.all(
    Array.from({ length: 60 }, (_, n) => ask((n % 2) as 0 | 1, 'POST', '/events', { name: 'shared', user_id: 'u' })),
  )
  const ids = stored.map(({ body }) => body.id)
  const lists = await Promise.all(
    ([0, 1] as const).map((node) => ask(node, 'GET', '/events?name=shared&order_by=time&limit=100')),
  )
  expect(lists[0]?.body.data).toEqual(lists[1]?.body.data)
  expect(lists[0]?.body.data.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  const answers = await Promise.all(
    ids.flatMap((id) => ([0, 1] as const).map((node) => ask(node, 'DELETE', `/events/${id}`))),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect((await ask(1, 'GET', `/events/${ids[0]}`)).status).toBe(404)
  expect((await ask(0, 'GET', '/events?user_id=u')).body.data).toEqual([])
})

/** Waits for a lock that one PostgreSQL shows. On a cluster the drill kills nodes. */
describe.skipIf(inject('cluster').isDistributed)('a node that is killed while it deletes events', () => {
  interface Environment {
    /** On the node that survives. */
    target: { url: string; key: string }
    deleted: string
    kept: string
  }

  async function newEnvironment(apiKey: string): Promise<Environment> {
    const target = { url: nodes[0].url, key: apiKey }
    const track = async () => (await call(target, 'POST', '/events', { name: 'killed', user_id: 'killed' })).body.id
    return { target, deleted: await track(), kept: await track() }
  }

  const isThere = async (id: string) => (await test.database.query('select from events where id = $1', [id])).length > 0
  const waiting = async () =>
    await test.database.query<{ pid: number }>(
      "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      [],
    )

  /** The killed node has committed the deletion of the first one, and waits for a row lock with that of the second. */
  async function killInBoth(committed: Environment, open: Environment): Promise<void> {
    const commits = await withheldAnswers(test)
    onTestFinished(commits.close)
    const killed = await spawnServer({ DATABASE_URL: commits.url, USHER_LOG_LEVEL: 'error' })
    onTestFinished(async () => void (await killed.end('SIGKILL')))
    const holder = await test.database.pool.connect()
    const remove = ({ target, deleted }: Environment) =>
      call({ url: killed.url, key: target.key }, 'DELETE', `/events/${deleted}`)
    try {
      await holder.query('begin')
      await holder.query('select from events where id = $1 for update', [open.deleted])
      commits.withhold(true)
      const outcomes = Promise.allSettled([remove(open), remove(committed)])
      await eventually('one waits', async () => (await waiting()).length === 1)
      await eventually('one is committed', async () => !(await isThere(committed.deleted)))
      const [waiter] = await waiting()
      await killed.end('SIGKILL')
      expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
      expect(await isThere(open.deleted)).toBe(true)
      await holder.query('rollback')
      const ofWaiter = 'select from pg_stat_activity where pid = $1::int'
      await eventually(
        'its connection is closed',
        async () => (await test.database.query(ofWaiter, [waiter?.pid])).length === 0,
      )
    } finally {
      holder.release(true)
    }
  }

  it('has deleted all or nothing, and another node answers the repeat the same and deletes nothing else', async () => {
    const environments = [await newEnvironment(key), await newEnvironment(otherKey)] as const
    await killInBoth(...environments)
    const found = environments.map(({ target, deleted }) => call(target, 'GET', `/events/${deleted}`))
    // What was not committed is rolled back.
    expect((await Promise.all(found)).map(({ status }) => status)).toEqual([404, 200])
    for (const { target, deleted, kept } of environments) {
      const repeat = await call(target, 'DELETE', `/events/${deleted}`)
      expect(repeat).toEqual({ status: 200, body: { id: deleted, object: 'event', deleted: true } })
      expect((await call(target, 'GET', `/events/${deleted}`)).status).toBe(404)
      const { data } = (await call(target, 'GET', '/events?user_id=killed')).body
      expect(data.map(({ id }: { id: string }) => id)).toEqual([kept])
    }
  })
})

it('counts the events of all nodes exactly after a clean stop of each', async () => {
  const total = 40
  await Promise.all(
    Array.from({ length: total }, (_, n) =>
      ask((n % 2) as 0 | 1, 'POST', '/events', { name: 'counted', user_id: 'u' }),
    ),
  )
  await Promise.all(nodes.map(({ services }) => services.usage.stop()))
  const [row] = await test.database.query<{ count: number }>(
    "select event_count as count from event_definitions where name = 'counted'",
    [],
  )
  expect(row?.count).toBe(total)
})
