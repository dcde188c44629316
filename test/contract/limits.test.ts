import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../contract/limits.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import type { Json } from '../support/requests.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => await server.close())

const numbered = (count: number, name = 'a') =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, index]))

describe('ids', () => {
  it.each(['x', 'é', '漢', '👾'])('of 255 × %s are stored and found; one more is refused', async (character) => {
    const { client } = server
    const id = character.repeat(limits.idCharacters)
    // The longest keys with the longest ids: they must fit into the indexes of PostgreSQL.
    const attributes = Object.fromEntries(
      ['name', 'email', 'signed_up_at', 'last_seen_at'].map((name) => [name, character.repeat(4096)]),
    )
    const groups = [{ id, attributes: { name: attributes.name } }]
    expect((await client.post('/users', { id, attributes, groups })).status).toBe(200)
    expect((await client.get(`/users/${encodeURIComponent(id)}?expand=groups`)).body.groups[0].id).toBe(id)
    expect((await client.get(`/groups/${encodeURIComponent(id)}`)).status).toBe(200)
    const listed = await client.get(`/users?group_id=${encodeURIComponent(id)}&order_by=attributes.name`)
    expect(listed.body.data.map((user: Json) => user.id)).toEqual([id])
    const next = await client.get(listed.body.next_page_url.slice(server.url.length))
    expect([next.status, next.body.data]).toEqual([200, []])
    expect((await client.post('/events', { name: 'x', user_id: id, group_id: id })).status).toBe(200)
    expect((await client.delete(`/group_memberships?user_id=${encodeURIComponent(id)}&group_id=x`)).status).toBe(200)

    const longer = id + character
    for (const { status, body } of [
      await client.post('/users', { id: longer }),
      await client.post('/groups', { id: longer }),
      await client.post('/events', { name: 'x', user_id: longer }),
      await client.post('/users', { id: 'x', groups: [{ id: longer }] }),
      await client.get(`/users/${encodeURIComponent(longer)}`),
      await client.delete(`/groups/${encodeURIComponent(longer)}`),
      await client.delete(`/group_memberships?group_id=x&user_id=${encodeURIComponent(longer)}`),
    ]) {
      expect([status, body.error.code]).toEqual([400, 'invalid_params'])
      expect(body.error.message).toContain('must be 1 to 255 characters')
    }
  })

  it('are texts without control characters', async () => {
    for (const id of ['', '.', '..', 5.5, null, true, [], {}, 'a\nb', '\0', '\u007f', '\u009f', '\ud800'])
      expect([id, (await server.client.post('/users', { id })).status]).toEqual([id, 400])
  })
})

describe('names', () => {
  it('of attributes have at most 100 characters', async () => {
    const name = 'n'.repeat(limits.attributeNameCharacters)
    expect((await server.client.post('/users', { id: 'names', attributes: { [name]: 1 } })).status).toBe(200)
    const { status } = await server.client.post('/users', { id: 'names', attributes: { [`${name}n`]: 1 } })
    expect(status).toBe(400)
  })

  it('of events have at most 100 characters, and only those of the contract', async () => {
    const { client } = server
    const longest = 'e'.repeat(limits.eventNameCharacters)
    for (const name of [longest, 'Order placed', 'order-placed_2', 'constructor', '__proto__', ' '])
      expect((await client.post('/events', { name, user_id: 'u' })).body.name).toBe(name)
    for (const name of [`${longest}e`, '', 'a.b', 'ü', 'a\n', 5, null, undefined])
      expect([name, (await client.post('/events', { name, user_id: 'u' })).status]).toEqual([name, 400])
  })
})

it('strings have at most 8,192 characters, and an emoji is one', async () => {
  const { client } = server
  for (const character of ['x', '👾']) {
    const value = character.repeat(limits.stringValueCharacters)
    const { body } = await client.post('/users', { id: 'strings', attributes: { value } })
    expect(body.attributes.value).toBe(value)
    for (const longer of [value + character, { set: value + character }, { set_once: value + character }]) {
      const { status, body } = await client.post('/users', { id: 'strings', attributes: { value: longer } })
      expect([status, body.error.message]).toEqual([400, expect.stringContaining('at most 8192 characters')])
    }
  }
})

it('an object has at most 1,000 attributes, counted after the merge', async () => {
  const { client } = server
  const full = numbered(limits.attributesPerObject)
  expect((await client.post('/users', { id: 'full', attributes: full })).status).toBe(200)
  const { status, body } = await client.post('/users', { id: 'full', attributes: { one_more: 1 } })
  expect([status, body.error.message]).toEqual([
    400,
    'attributes: would be more than 1000 attributes; remove some with null first',
  ])
  const swapped = await client.post('/users', { id: 'full', attributes: { one_more: 1, a0: null } })
  expect(Object.keys(swapped.body.attributes)).toHaveLength(1000)
  const over = numbered(limits.attributesPerObject + 1)
  const event = await client.post('/events', { name: 'x', user_id: 'u', attributes: over })
  expect([event.status, event.body.error.param]).toEqual([400, 'attributes'])
  expect(
    (await client.post('/users', { id: 'u', groups: [{ id: 'g', attributes: over }] })).body.error.message,
  ).toMatch(/^groups\[0\]\.attributes: would be more/)
})

it('the attributes of an object have at most 256 KiB as JSON, counted after the merge', async () => {
  const { client, database, environmentId } = server
  const strings = (count: number, length = 8_192) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`s${index}`, 'é'.repeat(length)]))
  const refused = (path: string) => [400, expect.stringMatching(`^${path}: would be more than 262,144 bytes of JSON`)]
  const answered = ({ status, body }: { status: number; body: Json }) => [status, body.error?.message]
  expect((await client.post('/users', { id: 'large', attributes: strings(15) })).status).toBe(200)
  expect(answered(await client.post('/users', { id: 'large', attributes: { s15: 'é'.repeat(8_192) } }))).toEqual(
    refused('attributes'),
  )
  expect((await client.post('/users', { id: 'large', attributes: { s15: 'é'.repeat(8_192), s0: null } })).status).toBe(
    200,
  )
  expect(answered(await client.post('/events', { name: 'x', user_id: 'u', attributes: strings(16) }))).toEqual(
    refused('attributes'),
  )
  const groups = [{ id: 'large', attributes: strings(16) }]
  expect(answered(await client.post('/users', { id: 'u', groups }))).toEqual(refused('groups\\[0\\].attributes'))
  const memberships = [{ group: { id: 'large' }, attributes: strings(16) }]
  expect(answered(await client.post('/users', { id: 'u', memberships }))).toEqual(
    refused('memberships\\[0\\].attributes'),
  )
  // From before there was a limit.
  await database.query('update users set attributes = $2::jsonb where environment_id = $1::int and id = $3::text', [
    environmentId,
    JSON.stringify(strings(20)),
    'large',
  ])
  expect((await client.post('/users', { id: 'large', attributes: { s0: 'short' } })).status).toBe(200)
  expect(answered(await client.post('/users', { id: 'large', attributes: { s0: 'longer' } }))).toEqual(
    refused('attributes'),
  )
})

it('an upsert has at most 100 groups, or memberships', async () => {
  const { client } = server
  const groups = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `many_${index}` }))
  expect((await client.post('/users', { id: 'many', groups: groups(limits.groupsPerUpsert) })).status).toBe(200)
  const over = await client.post('/users', { id: 'many', groups: groups(limits.groupsPerUpsert + 1) })
  expect([over.status, over.body.error.message]).toEqual([400, 'groups: must have at most 100 items'])
  const memberships = groups(limits.groupsPerUpsert + 1).map((group) => ({ group }))
  expect((await client.post('/users', { id: 'many', memberships })).status).toBe(400)
  expect((await client.post('/users', { id: 'many', memberships: memberships.slice(1) })).status).toBe(200)
})

it('limit is a whole number from 1 to 100, and 10 by default', async () => {
  const { client } = server
  const length = async (query: string) => (await client.get(`/groups${query}`)).body.data?.length
  expect(await length('?limit=100')).toBe(100)
  expect(await length('?limit=1')).toBe(1)
  expect(await length('')).toBe(limits.listDefault)
  for (const limit of [
    '0',
    '101',
    '-1',
    '1.5',
    'ten',
    '',
    '1e1',
    '1e1000',
    '0x10',
    '%2B5',
    '%205',
    '5%20',
    '5.0',
    '9007199254740993',
  ]) {
    const { status, body } = await client.get(`/groups?limit=${limit}`)
    expect([limit, status, body.error?.message]).toEqual([
      limit,
      400,
      'limit: must be a whole number from 1 to 100, in digits',
    ])
  }
})

it('a time has at most 64 characters, wherever it is sent', async () => {
  const { client } = server
  const time = `2026-01-03T09:30:00.${'1'.repeat(limits.timeCharacters - 21)}Z`
  const longer = time.replace('Z', '1Z')
  expect((await client.post('/events', { name: 'x', user_id: 'timed', time })).body.time).toBe(time)
  expect((await client.get(`/events?time[gte]=${time}`)).status).toBe(200)
  for (const { status, body } of [
    await client.post('/events', { name: 'x', user_id: 'timed', time: longer }),
    await client.get(`/events?time[gte]=${longer}`),
    await client.get(`/events?time[lt]=${longer}`),
  ])
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(/^time.*must have at most 64 characters/)])
})

it('a query has at most 100 parameters, also in a path of a batch', async () => {
  const { client } = server
  expect((await client.get(`/users?${'a=1&'.repeat(limits.queryParameters)}`)).status).toBe(200)
  const refused = await client.get(`/users?${'a&'.repeat(7_800)}`)
  expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining('send at most 100')])
  const paths = Array.from({ length: 50 }, () => `/users?${'a&'.repeat(4_000)}`)
  const operations = paths.map((path) => ({ method: 'POST', path, body: { id: 'queried' } }))
  const { body } = await client.post('/batch', { operations })
  expect(new Set(body.results.map(({ status }: Json) => status))).toEqual(new Set([400]))
})

describe('a body', () => {
  const ofSize = (bytes: number) => {
    const start = '{"id":"body","attributes":{"a":1}'
    return `${start}${' '.repeat(bytes - start.length - 1)}}`
  }

  it('of 1 MiB is read; one more byte is refused', async () => {
    const { client } = server
    expect((await client.send('POST', '/users', ofSize(limits.bodyBytes))).status).toBe(200)
    const { status, body } = await client.send('POST', '/users', ofSize(limits.bodyBytes + 1))
    expect([status, body.error.code]).toEqual([413, 'payload_too_large'])
  })
})
