import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from './support/database.ts'
import { createKeys, startService, type TestService } from './support/service.ts'

let test: TestDatabase
let nodes: [TestService, TestService]
let key: string
beforeAll(async () => {
  test = await createTestDatabase()
  ;[key] = (await createKeys(test.database, 'self_hosted', ['Production'])) as [string]
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
