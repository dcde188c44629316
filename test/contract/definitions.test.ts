import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/client.ts'
import type { Json } from '../support/requests.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  const { client } = server
  await client.post('/users', {
    id: 'u',
    attributes: {
      signed_up_at: '2026-01-01T00:00:00+02:00',
      'is-admin': true,
      seats: { add: 1 },
      day: '2026-01-01',
      gone: null,
    },
    memberships: [{ attributes: { role: 'x' }, group: { id: 'g', attributes: { plan: 'pro' } } }],
  })
  await client.post('/events', { name: 'order_placed', user_id: 'u', attributes: { total: 5, shared: 'a' } })
  await client.post('/events', { name: 'order-shipped', user_id: 'u', attributes: { carrier: 'x', shared: 'b' } })
})
afterAll(async () => await server.close())

const list = async (path: string): Promise<Json[]> => (await server.client.get(path)).body.data
const names = async (path: string) => (await list(path)).map(({ name }) => name)

const WAIT = { interval: 200 }

describe('attribute definitions', () => {
  it('are created when a name is first seen, with the type of the value and a readable name', async () => {
    const users = Object.fromEntries((await list('/attribute_definitions?scope=user')).map((d) => [d.name, d]))
    expect(users.signed_up_at).toMatchObject({ data_type: 'datetime', display_name: 'Signed up at', description: '' })
    expect(users['is-admin']).toMatchObject({ data_type: 'boolean', display_name: 'Is admin' })
    expect(users.seats).toMatchObject({ data_type: 'number' })
    expect(users.day).toMatchObject({ data_type: 'string' })
    expect(Object.keys(users)).toHaveLength(4)
  })

  it('of groups and memberships are listed only when they are asked for', async () => {
    expect(new Set((await list('/attribute_definitions')).map(({ scope }) => scope))).toEqual(
      new Set(['user', 'event']),
    )
    expect(await names('/attribute_definitions?scope=group')).toEqual(['plan'])
    expect(await names('/attribute_definitions?scope=group_membership')).toEqual(['role'])
    const { status, body } = await server.client.get('/attribute_definitions?scope=company')
    expect([status, body.error.message]).toEqual([400, 'scope: must be one of user, event, group, group_membership'])
  })

  it('are filtered by the events they were seen on', async () => {
    expect(await names('/attribute_definitions?event_name=order_placed')).toEqual(['shared', 'total'])
    expect(await names('/attribute_definitions?event_name[]=order_placed&event_name[]=order-shipped')).toEqual([
      'carrier',
      'shared',
      'total',
    ])
    expect(await names('/attribute_definitions?event_name=never')).toEqual([])
    expect(await names('/attribute_definitions?event_name=order_placed&scope=user')).toEqual([])
  })

  it('are ordered by display name unless another order is asked for', async () => {
    const all = await names('/attribute_definitions')
    expect(all).toEqual(['carrier', 'day', 'is-admin', 'seats', 'shared', 'signed_up_at', 'total'])
    expect(await names('/attribute_definitions?order_by=-name')).toEqual(all.toSorted().reverse())
    expect((await names('/attribute_definitions?order_by=created_at')).toSorted()).toEqual(all.toSorted())
  })

  it('keep their type; values of other types are stored and counted as conflicts', async () => {
    const { client } = server
    await client.post('/users', { id: 'c', attributes: { clash: 1 } })
    for (const clash of ['one', true, 'two', 2, '2026-01-03T09:30:00Z', 'x'.repeat(5_000)]) {
      const { body } = await client.post('/users', { id: 'c', attributes: { clash } })
      expect(body.attributes.clash).toBe(clash)
    }
    const clash = async () => (await list('/attribute_definitions?limit=100')).find(({ name }) => name === 'clash')
    await expect.poll(clash, WAIT).toMatchObject({
      data_type: 'number',
      type_conflicts: [
        { data_type: 'boolean', count: 1, example: true },
        { data_type: 'datetime', count: 1, example: '2026-01-03T09:30:00Z' },
        { data_type: 'string', count: 3, example: `${'x'.repeat(200)}…` },
      ],
    })
  })

  it('take a given data_type, when it fits the value', async () => {
    const { client } = server
    await client.post('/users', {
      id: 'd',
      attributes: { as_text: { set: '2026-01-01T00:00:00Z', data_type: 'string' } },
    })
    const [definition] = (await list('/attribute_definitions?limit=100')).filter(({ name }) => name === 'as_text')
    expect(definition?.data_type).toBe('string')
    for (const operation of [
      { set: 5, data_type: 'string' },
      { set_once: 'true', data_type: 'boolean' },
      { add: 1, data_type: 'string' },
      { set: 5, data_type: 'flow' },
    ]) {
      const { status, body } = await client.post('/users', { id: 'd', attributes: { x: operation } })
      expect([status, body.error.message]).toEqual([400, expect.stringMatching(/^attributes\.x\.data_type: /)])
    }
  })
})

it('event definitions are created when a name is first seen', async () => {
  const definitions = await list('/event_definitions')
  expect(definitions.map(({ name, display_name }) => [name, display_name])).toEqual([
    ['order_placed', 'Order placed'],
    ['order-shipped', 'Order shipped'],
  ])
  expect(await names('/event_definitions?order_by=-name')).toEqual(['order_placed', 'order-shipped'])
})

it('definitions are paged by their id', async () => {
  const first = (await server.client.get('/attribute_definitions?limit=2')).body
  expect(first.has_more).toBe(true)
  const second = await server.client.get(`/attribute_definitions?limit=2&starting_after=${first.data[1].id}`)
  const next = await server.client.get(first.next_page_url.slice(server.url.length))
  expect(next.body.data).toEqual(second.body.data)
  for (const id of ['nope', '00000000-0000-0000-0000-000000000000']) {
    const { body } = await server.client.get(`/attribute_definitions?starting_after=${id}`)
    expect(body.error.message).toBe(`starting_after: Attribute definition with id '${id}' not found`)
  }
})

it('definitions say when a name was first and last seen, and how many events there were', async () => {
  const { client } = server
  const first = (await client.post('/events', { name: 'counted', user_id: 'u', attributes: { weight: 1 } })).body
  const rest = await Promise.all(
    Array.from({ length: 40 }, () =>
      client.post('/events', { name: 'counted', user_id: 'u', attributes: { weight: 2 } }),
    ),
  )
  // A refused event is not counted.
  expect((await client.post('/events', { name: 'counted', user_id: 'u', attributes: { weight: [] } })).status).toBe(400)
  const last = rest
    .map(({ body }) => body.created_at)
    .toSorted()
    .at(-1)
  const seen = { first_seen_at: first.created_at, last_seen_at: last }
  const find = async (path: string, wanted: string) => (await list(path)).find(({ name }) => name === wanted)
  await expect
    .poll(() => find('/event_definitions?limit=100', 'counted'), WAIT)
    .toMatchObject({ ...seen, event_count: 41 })
  await expect
    .poll(() => find('/attribute_definitions?limit=100', 'weight'), WAIT)
    .toMatchObject({ ...seen, type_conflicts: [] })
})
