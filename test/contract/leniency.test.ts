import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/client.ts'
import type { Json } from '../support/requests.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => await server.close())

describe('an integer as an id in a body', () => {
  it('is its decimal text, wherever an id stands', async () => {
    const { client } = server
    expect((await client.post('/users', { id: 42 })).body.id).toBe('42')
    expect((await client.get('/users/42')).status).toBe(200)
    expect((await client.post('/groups', { id: -7 })).body.id).toBe('-7')
    const { body } = await client.post('/events', { name: 'x', user_id: 42, group_id: -7 })
    expect([body.user_id, body.group_id]).toEqual(['42', '-7'])
    const joined = await client.post('/users?expand=groups', { id: 42, memberships: [{ group_id: -7, user_id: 42 }] })
    expect(joined.body.groups.map((group: Json) => group.id)).toEqual(['-7'])
    const embedded = await client.post('/users?expand=groups', { id: 43, memberships: [{ group: { id: 8 } }] })
    expect(embedded.body.groups.map((group: Json) => group.id)).toEqual(['8'])
    expect((await client.post('/users?expand=groups', { id: 44, groups: [{ id: 9 }] })).body.groups[0].id).toBe('9')
    expect((await client.send('POST', '/users', '{"id":9007199254740992}')).body.id).toBe('9007199254740992')
  })

  it('is refused with a fraction, or when it would lose digits', async () => {
    for (const id of ['5.5', '1e400', '-0.1', '9007199254740993', '-9007199254740993', 'true', '[5]']) {
      const { status, body } = await server.client.send('POST', '/users', `{"id":${id}}`)
      expect([id, status, body.error.param]).toEqual([id, 400, 'id'])
    }
    expect((await server.client.send('POST', '/users', '{"id":9007199254740993}')).body.error.message).toMatch(
      /send it as a string$/,
    )
  })
})

it('an empty array for attributes is an empty map, everywhere', async () => {
  const { client } = server
  expect((await client.post('/users', { id: 'php', attributes: [] })).body.attributes).toEqual({})
  expect((await client.post('/groups', { id: 'php', attributes: [] })).body.attributes).toEqual({})
  expect((await client.post('/events', { name: 'x', user_id: 'php', attributes: [] })).body.attributes).toEqual({})
  const memberships = [{ attributes: [], group: { id: 'php', attributes: [] } }]
  expect((await client.post('/users', { id: 'php', memberships })).status).toBe(200)
})

it('data_type: null counts as absent', async () => {
  const attributes = { at: { set: '2026-01-03T09:30:00Z', data_type: null }, n: { add: 1, data_type: null } }
  const { body } = await server.client.post('/users', { id: 'typed', attributes })
  expect(body.attributes).toEqual({ at: '2026-01-03T09:30:00Z', n: 1 })
})

describe('a query parameter given twice', () => {
  it('counts once when both are the same', async () => {
    const { client } = server
    const once = await client.get('/users?limit=1&email=a')
    const twice = await client.get('/users?limit=1&limit=1&email=a&email[]=a')
    expect([twice.status, twice.body]).toEqual([200, once.body])
  })

  it.each(['limit=1&limit=2', 'email=a&email=b', 'starting_after=a&starting_after=', 'group_id[]=a&group_id[]=b'])(
    'with two values is refused: %s',
    async (query) => {
      const [name] = query.split(/[[=]/, 1)
      const { status, body } = await server.client.get(`/users?${query}`)
      expect([status, body.error.param]).toEqual([400, name])
      expect(body.error.message).toBe(`${name}: is given more than once, with different values; send it once`)
    },
  )

  it('is not called missing as well', async () => {
    const { body } = await server.client.delete('/group_memberships?user_id=a&user_id=b&group_id=c')
    expect(body.error).toMatchObject({
      param: 'user_id',
      message: expect.stringMatching(/^user_id: is given .* once$/),
    })
  })
})

it.each(['email=%zz', 'email=%', 'email=%E0%A4%A', 'email=%ff', 'unknown=%c0%80', '%zz=1'])(
  'a query that is not percent-encoded is refused: %s',
  async (query) => {
    const { status, body } = await server.client.get(`/users?${query}`)
    expect([status, body.error.code]).toEqual([400, 'invalid_params'])
    expect(body.error.message).toContain('is not percent-encoded UTF-8')
  },
)

describe('lists with commas', () => {
  it('are taken by expand and order_by, also beside brackets', async () => {
    const { client } = server
    await client.post('/users', { id: 'c', attributes: { name: 'C' }, groups: [{ id: 'commas' }] })
    const { body } = await client.get('/users/c?expand=groups,memberships.group')
    expect([body.groups.length, body.memberships[0].group.id]).toEqual([1, 'commas'])
    const listed = await client.get('/users?order_by=-attributes.name,created_at&limit=1&expand[]=groups,memberships')
    expect(listed.body.data[0].memberships).toHaveLength(1)
    const same = await client.get('/users?order_by[]=-attributes.name&order_by[]=created_at&limit=1')
    expect(same.body.data[0].id).toBe(listed.body.data[0].id)
    expect((await client.get(listed.body.next_page_url.slice(server.url.length))).status).toBe(200)
    expect((await client.get('/users?order_by=created_at,nothing')).body.error.message).toMatch(/^order_by: 'nothing'/)
    expect((await client.get('/users/c?expand=groups,nothing')).body.error.message).toMatch(/^expand: 'nothing'/)
  })
})

it('expand in the body of a POST counts as in the query, and beside it', async () => {
  const { client } = server
  const user = await client.post('/users?expand=groups', { id: 'b', groups: [{ id: 'body' }], expand: ['memberships'] })
  expect([user.body.groups.length, user.body.memberships.length]).toEqual([1, 1])
  const group = await client.post('/groups', { id: 'body', expand: 'users,memberships' })
  expect([group.body.users.length, group.body.memberships.length]).toEqual([1, 1])
  expect((await client.post('/events', { name: 'x', user_id: 'b', expand: 'user' })).body.user.id).toBe('b')
  expect((await client.post('/events', { name: 'x', user_id: 'b', expand: null })).body.user).toBeNull()
  const { body } = await client.post('/users', { id: 'not stored', expand: ['nothing'] })
  expect(body.error).toMatchObject({ param: 'expand' })
  expect((await client.get('/users/not%20stored')).status).toBe(404)
})

describe('an object that was read can be sent back', () => {
  beforeAll(async () => {
    await server.client.post('/users', {
      id: 'whole',
      attributes: { a: 1 },
      memberships: [{ attributes: { role: 'x' }, group: { id: 'g1', attributes: { n: 1 } } }, { group: { id: 'g2' } }],
    })
  })

  it.each([
    'groups',
    'memberships',
    'memberships.group',
    'memberships.user',
    'groups.users',
    'groups.memberships.user',
    'groups,memberships',
    'groups.users,memberships.group.users',
  ])('a user with %s', async (expand) => {
    const { client } = server
    const read = (await client.get(`/users/whole?expand=${expand}`)).body
    const { status, body } = await client.post(`/users?expand=${expand}`, read)
    expect([status, body]).toEqual([200, read])
  })

  it.each(['users', 'memberships', 'memberships.user', 'users.groups,memberships.group'])(
    'a group with %s',
    async (expand) => {
      const { client } = server
      const read = (await client.get(`/groups/g1?expand=${expand}`)).body
      const { status, body } = await client.post(`/groups?expand=${expand}`, read)
      expect([status, body]).toEqual([200, read])
    },
  )

  it('an event with its user and group', async () => {
    const { client } = server
    const event = { name: 'x', user_id: 'whole', group_id: 'g1' }
    const read = (await client.post('/events?expand=user,group.users', event)).body
    const { status, body } = await client.post('/events?expand=user,group.users', read)
    expect([status, { ...body, id: read.id, created_at: read.created_at, time: read.time }]).toEqual([200, read])
  })

  it('and a change of a group in it is stored, and one that contradicts itself refused', async () => {
    const { client } = server
    const read = (await client.get('/users/whole?expand=groups,memberships')).body
    read.groups[0].attributes.n = 2
    expect((await client.post('/users', read)).status).toBe(200)
    expect((await client.get('/groups/g1')).body.attributes).toEqual({ n: 2 })
    const both = (await client.get('/users/whole?expand=groups,memberships.group')).body
    both.groups[0].attributes.n = 3
    const { body } = await client.post('/users', both)
    expect(body.error.message).toMatch(/^memberships: only one of groups and memberships may be set/)
    both.groups.pop()
    expect((await client.post('/users', both)).status).toBe(400)
  })

  it('but what was written by hand where only a response has something is refused', async () => {
    const { client } = server
    for (const [path, body, param] of [
      ['/groups', { id: 'g1', users: [{ id: 'u1' }] }, 'users'],
      ['/groups', { id: 'g1', memberships: [{ user_id: 'u1' }] }, 'memberships'],
      ['/groups', { id: 'g1', users: [{ id: 'u1', object: 'group' }] }, 'users'],
      ['/groups', { id: 'g1', users: { object: 'user' } }, 'users'],
      ['/groups', { id: 'g1', users: 'u1' }, 'users'],
      ['/events', { name: 'x', user: { id: 'u1' }, user_id: 'u1' }, 'user'],
      ['/users', { id: 'whole', memberships: [{ group_id: 'g1', user: { id: 'x' } }] }, 'memberships[0].user'],
    ] as const) {
      const answer = await client.post(path, body)
      expect([answer.status, answer.body.error.param]).toEqual([400, param])
      expect(answer.body.error.message).toMatch(/must be null or absent: /)
    }
  })

  it('a user without groups on a plan without groups', async () => {
    const starter = await startTestServer({ plan: 'starter' })
    await starter.client.post('/users', { id: 'alone' })
    const read = (await starter.client.get('/users/alone?expand=groups,memberships')).body
    expect(read.groups).toEqual([])
    expect((await starter.client.post('/users', read)).status).toBe(200)
    await starter.close()
  })
})
