import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { commandActor } from '../server/audit/record.ts'
import type { EnvironmentId } from '../server/database/database.ts'
import { creation } from '../server/subscriptions/changes.ts'
import { requestedSubscription } from '../server/subscriptions/requested.ts'
import { createTestDatabase, type TestDatabase } from './support/database.ts'
import { Client, type Json } from './support/requests.ts'
import { createKeys, startService, type TestService } from './support/service.ts'
import { unsteadyConnection } from './support/unsteady-connection.ts'

/**
 * On one node new objects become visible in the order of their creation time, so a client that follows the end of a list
 * misses nothing. The connections to PostgreSQL have random delays: a later commit can arrive earlier.
 */

let test: TestDatabase
let service: TestService
let client: Client
let proxy: Awaited<ReturnType<typeof unsteadyConnection>>

beforeAll(async () => {
  test = await createTestDatabase()
  proxy = await unsteadyConnection(test.connection, 30)
  service = await startService(proxy)
  const [key] = await createKeys(test.database, 'self_hosted', ['followed'])
  client = new Client(service.url, key as string)
  await client.post('/events', { name: 'followed', user_id: 'first' })
})
afterAll(async () => {
  await client.close()
  await service.close()
  proxy.close()
  await test.close()
})

const WRITERS = 24
const WRITES_EACH = inject('isLong') ? 30 : 12

/** Runs writers side by side while a reader follows them; returns what was acknowledged and what the reader saw. */
async function follow(write: () => Promise<string>, readOn: () => Promise<string[]>, writesEach = WRITES_EACH) {
  const acknowledged: string[] = []
  let writing = true
  const writers = Array.from({ length: WRITERS }, async () => {
    for (let count = 0; count < writesEach; count += 1) {
      acknowledged.push(await write())
      // Writers that are not synchronized: otherwise all of them would share every batch.
      await sleep(Math.random() * 15)
    }
  })
  const seen: string[] = []
  const reader = async () => {
    for (;;) {
      const isLast = !writing
      for (let page = await readOn(); page.length > 0; page = await readOn()) seen.push(...page)
      if (isLast) return
    }
  }
  const reading = reader()
  await Promise.all(writers)
  writing = false
  await reading
  return { acknowledged: acknowledged.toSorted(), seen: seen.toSorted() }
}

it.each(['users', 'groups'])(
  'a reader that follows the end of /%s misses nothing that concurrent writers create',
  async (path) => {
    let position = `/${path}?limit=100`
    const { acknowledged, seen } = await follow(
      // Random ids: their order does not follow the order of the batches.
      async () => (await client.post(`/${path}`, { id: randomUUID() })).body.id,
      async () => {
        const { body } = await client.get(position)
        position = body.next_page_url.slice(service.url.length)
        return body.data.map(({ id }: { id: string }) => id)
      },
    )
    expect(seen).toEqual(acknowledged)
  },
)

it('a client that follows the end of /events misses none, of known and new names, with upserts between', async () => {
  let position = '/events?limit=100&order_by=created_at'
  let writes = 0
  const { acknowledged, seen } = await follow(
    async () => {
      writes += 1
      if (writes % 10 === 0) await client.post('/users', { id: `u${writes % 3}`, attributes: { n: { add: 1 } } })
      const name = writes % 25 === 0 ? `new ${writes}` : 'followed'
      return (await client.post('/events', { name, user_id: 'u' })).body.id
    },
    async () => {
      const { body } = await client.get(position)
      position = body.next_page_url.slice(service.url.length)
      return body.data.filter((event: Json) => event.user_id === 'u').map((event: Json) => event.id)
    },
  )
  expect(seen).toEqual(acknowledged)
})

it('a client that follows the end of /webhook_subscriptions misses none', async () => {
  let position = '/webhook_subscriptions?limit=100'
  const requested = requestedSubscription({ url: 'https://hook.example/', topics: ['user'] })
  const { commits, secrets, changesOf } = service.services
  const create = () => creation(requested, { actor: commandActor(1), environment: 'production' }, secrets)
  const [environment] = await test.database.query<{ id: EnvironmentId }>('select id from environments', [])
  const environmentId = environment?.id as EnvironmentId
  const { acknowledged, seen } = await follow(
    async () => (await commits.submit(changesOf<{ id: string }>(), environmentId, create())).id,
    async () => {
      const { body: page } = await client.get(position)
      position = page.next_page_url.slice(service.url.length)
      return page.data.map(({ id }: Json) => id)
    },
    4,
  )
  expect(seen).toEqual(acknowledged)
})
