import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../contract/limits.ts'
import { startTestServer, type TestServer } from '../support/client.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.client.post('/users', {
    id: 'u',
    memberships: [{ attributes: { role: 'admin' }, group: { id: 'g', attributes: { n: 1 } } }],
  })
})
afterAll(async () => await server.close())

describe('expansion', () => {
  it('fills the has-many fields of users and groups, on every endpoint that returns them', async () => {
    const { client } = server
    const group = { object: 'group', id: 'g', attributes: { n: 1 }, users: null, memberships: null }
    const user = { object: 'user', id: 'u', groups: null, memberships: null }
    for (const { body } of [
      await client.get('/users/u?expand=groups'),
      await client.post('/users?expand=groups', { id: 'u' }),
      { body: (await client.get('/users?expand=groups')).body.data[0] },
    ]) {
      expect(body.groups).toMatchObject([group])
      expect(body.memberships).toBeNull()
    }
    for (const { body } of [
      await client.get('/groups/g?expand=users'),
      await client.post('/groups?expand=users', { id: 'g' }),
      { body: (await client.get('/groups?expand=users')).body.data[0] },
    ]) {
      expect(body.users).toMatchObject([user])
    }
  })

  it('takes the key or the id field of an object', async () => {
    const { client } = server
    for (const query of [
      'expand=user',
      'expand=user_id',
      'expand[]=user&expand[]=user_id',
      'expand[0]=user_id',
      'expand=user&expand=user',
    ]) {
      const { body } = await client.post(`/events?${query}`, { name: 'x', user_id: 'u', group_id: 'g' })
      expect(body.user).toMatchObject({ id: 'u', groups: null })
      expect(body.group).toBeNull()
    }
  })

  it('goes four levels deep, and no further', async () => {
    const { client } = server
    const { body } = await client.get('/users/u?expand=memberships.group.memberships.user')
    expect(body.memberships[0].group.memberships[0].user).toMatchObject({ id: 'u', memberships: null })
    const event = await client.post('/events?expand[]=user.memberships.group.users&expand[]=group', {
      name: 'x',
      user_id: 'u',
      group_id: 'g',
    })
    expect(event.body.user.memberships[0].group.users[0].id).toBe('u')
    const over = await client.get('/users/u?expand=memberships.group.memberships.user.groups')
    expect(over.body.error.message).toMatch(/^expand: '.*' has more than 4 levels/)
  })

  it.each([
    ['/users/u?expand=users', /a user can expand groups, memberships/],
    ['/users/u?expand=memberships.role', /a group_membership can expand group, user/],
    ['/groups?expand=groups', /a group can expand memberships, users/],
    ['/users?expand=', /is not a path/],
    ['/users?expand=constructor', /is not a path/],
    ['/users?expand=__proto__', /is not a path/],
    ['/users?expand=groups_id', /is not a path/],
    ['/users?expand=groups.', /is not a path/],
    ["/users?expand=groups'%20or%201=1--", /is not a path/],
    ['/users?expand=Groups', /is not a path/],
  ])('refuses %s and names the paths that exist', async (path, message) => {
    const { status, body } = await server.client.get(path)
    expect([status, body.error.code]).toEqual([400, 'invalid_params'])
    expect(body.error.message).toMatch(/^expand: /)
    expect(body.error.message).toMatch(message)
  })

  it('of a write that is refused stores nothing', async () => {
    expect((await server.client.post('/users?expand=nothing', { id: 'unstored' })).status).toBe(400)
    expect((await server.client.get('/users/unstored')).status).toBe(404)
  })
})

it('a list shows the groups of every user, with no, few and many groups, as the user alone does', async () => {
  const { client } = server
  for (const [id, groups] of Object.entries({ none: 0, few: 20, many: 21, lots: 60 })) {
    const memberships = Array.from({ length: groups }, (_, n) => ({ attributes: { n }, group: { id: `of-${n}` } }))
    await client.post('/users', { id: `with-${id}`, memberships })
  }
  for (const expand of ['memberships', 'groups', 'memberships.group', 'groups.memberships']) {
    for (const page of ['limit=1', 'limit=3', 'limit=100']) {
      const { data } = (await client.get(`/users?expand=${expand}&order_by=-created_at&${page}`)).body
      const alone = data.map(async ({ id }: { id: string }) => (await client.get(`/users/${id}?expand=${expand}`)).body)
      expect(data).toEqual(await Promise.all(alone))
    }
  }
})

it('one response expands 10,000 objects, and refuses 10,001', async () => {
  const { client, database, environmentId } = server
  await client.post('/groups', { id: 'big' })
  const fill = async (from: number, to: number) => {
    const values = [environmentId, from, to]
    await database.query(
      `insert into users (environment_id, id, attributes, created_at, name_key, signed_up_at_key, last_seen_at_key)
       select $1::int, 'big' || i, '{}', now(), '', '', '' from generate_series($2::int, $3::int) as i`,
      values,
    )
    await database.query(
      `insert into group_memberships (environment_id, user_id, group_id, id, attributes, created_at, user_created_at, group_created_at)
       select $1::int, 'big' || i, 'big', gen_random_uuid(), '{}', now(), now(), now() from generate_series($2::int, $3::int) as i`,
      values,
    )
    // As PostgreSQL does by itself some time after many rows were stored. Plans of small tables go with it.
    await database.query('analyze users, group_memberships', [])
  }
  await fill(1, limits.expandedObjects / 2)
  const { body } = await client.get('/groups/big?expand=memberships.user')
  expect(body.memberships).toHaveLength(5_000)
  const twice = await client.get('/groups/big?expand[]=memberships.user&expand[]=users')
  expect([twice.status, twice.body.error.message]).toEqual([
    400,
    expect.stringMatching(/^expand: 'users' would expand more than 10,000 objects/),
  ])
  await fill(5_001, limits.expandedObjects)
  const whole = await client.get('/groups/big?expand=users')
  expect([whole.status, whole.body.error, whole.body.users?.length]).toEqual([200, undefined, 10_000])
  await fill(10_001, 10_001)
  const over = await client.get('/groups/big?expand=users')
  expect(over.status).toBe(400)
  expect(over.body.error.message).toContain('GET /users?group_id=')
  // The list that helps is that of the object whose list is too long, whatever the path is called.
  for (const [path, list] of [
    ['/groups/big?expand=memberships', 'GET /users?group_id='],
    ['/groups/big?expand=memberships.user', 'GET /users?group_id='],
    ['/groups/big?expand=memberships.group', 'GET /users?group_id='],
    ['/users/big1?expand=groups.memberships.user', 'GET /users?group_id='],
  ] as const)
    expect((await client.get(path)).body.error.message).toContain(list)
  // The same group under many users counts each time it is in the response.
  const dense = await client.get('/users?group_id=big&limit=100&expand=groups.users')
  expect(dense.status).toBe(400)
})

it('what would expand more than 32 MiB is refused before it is read, and a write before it is stored', async () => {
  const { client } = server
  const attributes = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`s${index}`, 'x'.repeat(8_000)]))
  const groups = ['wide_1', 'wide_2'].map((id) => ({ id, attributes }))
  await client.post('/users', { id: 'wide_0', groups })
  const operations = Array.from({ length: 99 }, (_, index) => ({
    method: 'POST',
    path: '/users',
    body: { id: `wide_${index + 1}`, groups: [{ id: 'wide_1' }, { id: 'wide_2' }] },
  }))
  await client.post('/batch', { operations })
  const page = '/users?group_id=wide_1&limit='
  expect((await client.get(`${page}10&expand=groups`)).text.length).toBeGreaterThan(4_000_000)
  for (const path of [
    `${page}100&expand=groups`,
    `${page}100&expand=memberships.group`,
    `${page}100&expand=groups&expand=memberships`,
    '/groups/wide_1?expand=users.groups',
  ]) {
    const { status, body } = await client.get(path)
    expect([path, status, body.error?.message]).toEqual([
      path,
      400,
      expect.stringMatching(/more than 32 MiB.*GET \/users\?group_id/),
    ])
  }
  // Each is 2 KB when it is stored: it is compressed.
  await server.database.query(
    `update group_memberships set attributes = jsonb_build_object('s', repeat('x', 200000)) where group_id like 'wide%'`,
    [],
  )
  expect((await client.get(`${page}10&expand=memberships`)).text.length).toBeGreaterThan(4_000_000)
  expect((await client.get(`${page}100&expand=memberships`)).body.error?.message).toMatch(/more than 32 MiB/)
  const written = await client.post('/groups', { id: 'wide_1', attributes: { s0: 'new' }, expand: ['users.groups'] })
  expect(written.status).toBe(400)
  expect((await client.get('/groups/wide_1')).body.attributes.s0).toBe(attributes.s0)
})
