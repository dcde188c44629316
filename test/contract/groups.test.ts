import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/client.ts'
import type { Json } from '../support/requests.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => await server.close())

const groupIdsOf = async (userId: string) =>
  (await server.client.get(`/groups?user_id=${userId}`)).body.data.map(({ id }: Json) => id)

describe('a group', () => {
  it('is created, merged, sent back and read', async () => {
    const { client } = server
    const created = await client.post('/groups', { id: 'g1', attributes: { name: 'Engines', seats: 2 } })
    expect(created.body).toMatchObject({ id: 'g1', object: 'group', memberships: null, users: null })
    const updated = await client.post('/groups', { ...created.body, attributes: { seats: { subtract: 5 } } })
    expect(updated.body).toEqual({ ...created.body, attributes: { name: 'Engines', seats: -3 } })
    expect((await client.get('/groups/g1')).body).toEqual(updated.body)
  })

  it('is deleted with its memberships, and its members remain', async () => {
    const { client } = server
    await client.post('/users', { id: 'member', groups: [{ id: 'doomed' }, { id: 'other' }] })
    const first = await client.delete('/groups/doomed')
    expect(first.body).toEqual({ id: 'doomed', object: 'group', deleted: true })
    expect((await client.delete('/groups/doomed')).body).toEqual(first.body)
    expect(await groupIdsOf('member')).toEqual(['other'])
    expect((await client.get('/groups/doomed')).body.error.message).toBe("Group with id 'doomed' not found")
  })

  it('is listed by name, both ways', async () => {
    const { client } = server
    for (const name of ['b', 'a', 'c']) await client.post('/groups', { id: `n_${name}`, attributes: { name } })
    await client.post('/users', { id: 'named', groups: [{ id: 'n_b' }, { id: 'n_a' }, { id: 'n_c' }] })
    const names = async (order: string) =>
      (await client.get(`/groups?user_id=named&order_by=${order}`)).body.data.map(({ id }: Json) => id)
    expect(await names('attributes.name')).toEqual(['n_a', 'n_b', 'n_c'])
    expect(await names('-attributes.name')).toEqual(['n_c', 'n_b', 'n_a'])
  })
})

describe('a membership', () => {
  it('is made by groups and by memberships, with attributes of its own and operations everywhere', async () => {
    const { client } = server
    const body = {
      id: 'm',
      memberships: [
        { attributes: { role: 'admin', logins: { add: 1 } }, group: { id: 'mg', attributes: { n: { add: 2 } } } },
      ],
    }
    await client.post('/users', body)
    const { memberships } = (await client.post('/users?expand=memberships.group', body)).body
    expect(memberships).toHaveLength(1)
    expect(memberships[0]).toMatchObject({
      object: 'group_membership',
      attributes: { role: 'admin', logins: 2 },
      group_id: 'mg',
      user_id: 'm',
      user: null,
      group: { id: 'mg', attributes: { n: 4 } },
    })
  })

  it('can be sent back as it was read', async () => {
    const { client } = server
    const read = (await client.post('/users?expand=memberships.group', { id: 'sb', groups: [{ id: 'sbg' }] })).body
    const again = await client.post('/users?expand=memberships.group', read)
    expect(again.body).toEqual(read)
    const groups = (await client.get('/users/sb?expand=groups')).body
    expect((await client.post('/users?expand=groups', groups)).body).toEqual(groups)
  })

  it('is removed alone, and the removal answers the same when there was none', async () => {
    const { client } = server
    await client.post('/users', { id: 'leaver', groups: [{ id: 'left' }] })
    const { memberships } = (await client.get('/users/leaver?expand=memberships')).body
    const first = await client.delete('/group_memberships?user_id=leaver&group_id=left')
    expect(first.body).toEqual({ id: memberships[0].id, object: 'group_membership', deleted: true })
    expect((await client.delete('/group_memberships?user_id=leaver&group_id=left')).body).toEqual(first.body)
    expect((await client.delete('/group_memberships?user_id=never&group_id=was')).body.deleted).toBe(true)
    expect((await client.get('/groups/left')).status).toBe(200)
    const missing = await client.delete('/group_memberships')
    expect(missing.body.error.message).toBe('user_id: is required; group_id: is required')
  })
})

describe('prune_memberships', () => {
  it('removes the memberships that are not named, and keeps the groups', async () => {
    const { client } = server
    await client.post('/users', { id: 'p', groups: [{ id: 'p1' }, { id: 'p2' }, { id: 'p3' }] })
    await client.post('/users', { id: 'p', groups: [{ id: 'p4' }] })
    expect(await groupIdsOf('p')).toHaveLength(4)
    await client.post('/users', { id: 'p', groups: [{ id: 'p2' }], prune_memberships: true })
    expect(await groupIdsOf('p')).toEqual(['p2'])
    expect((await client.get('/groups/p1')).status).toBe(200)
    await client.post('/users', { id: 'p', memberships: [], prune_memberships: true })
    expect(await groupIdsOf('p')).toEqual([])
  })

  it('without groups and memberships is refused: it would remove everything by accident', async () => {
    const { client } = server
    for (const extra of [{}, { groups: null }]) {
      const { status, body } = await client.post('/users', { id: 'p', prune_memberships: true, ...extra })
      expect(status).toBe(400)
      expect(body.error.message).toMatch(/^prune_memberships: /)
    }
  })
})

describe('an upsert with groups', () => {
  it.each([
    ['groups and memberships together', { groups: [], memberships: [] }, /^memberships: only one of/],
    ['a group twice', { groups: [{ id: 'x' }, { id: 'x' }] }, /^groups\[1\]\.id: /],
    ['a membership without a group', { memberships: [{}] }, /^memberships\[0\]\.group: is required/],
    [
      'a membership of somebody else',
      { memberships: [{ group_id: 'x', user_id: 'y' }] },
      /^memberships\[0\]\.user_id: /,
    ],
    ['two ids of one group', { memberships: [{ group_id: 'x', group: { id: 'y' } }] }, /^memberships\[0\]\.group_id: /],
    ['a group without id', { groups: [{}] }, /^groups\[0\]\.id: is required/],
    ['a misspelt field', { groups: [{ id: 'x', attribute: {} }] }, /^groups\[0\]\.attribute: is not a known field/],
    [
      'a bad operation',
      { groups: [{ id: 'x', attributes: { n: { add: 'y' } } }] },
      /^groups\[0\]\.attributes\.n\.add: /,
    ],
  ])('refuses %s', async (_, fields, message) => {
    const { status, body } = await server.client.post('/users', { id: 'bad', ...fields })
    expect([status, body.error.code]).toEqual([400, 'invalid_params'])
    expect(body.error.message).toMatch(message)
    expect((await server.client.get('/users/bad')).status).toBe(404)
  })

  it('stores nothing when its third group is bad', async () => {
    const { client } = server
    await client.post('/groups', { id: 'third', attributes: { name: 'text' } })
    const groups = [
      { id: 'first', attributes: { a: 1 } },
      { id: 'second' },
      { id: 'third', attributes: { name: { add: 1 } } },
    ]
    const { status, body } = await client.post('/users', { id: 'thirdly', attributes: { unseen: 1 }, groups })
    expect([status, body.error.message]).toEqual([
      400,
      'groups[2].attributes.name.add: works only on a number, and the value is a string',
    ])
    for (const path of ['/users/thirdly', '/groups/first', '/groups/second'])
      expect((await client.get(path)).status).toBe(404)
    expect((await client.get('/groups/third')).body.attributes).toEqual({ name: 'text' })
    const definitions = (await client.get('/attribute_definitions?limit=100')).body.data
    expect(definitions.map(({ name }: Json) => name)).not.toContain('unseen')
  })
})
