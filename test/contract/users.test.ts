import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/client.ts'
import { LONGEST_WAIT_MS } from '../support/database.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => await server.close())

describe('a user', () => {
  it('is created by its first upsert, and merged by later ones', async () => {
    const { client } = server
    const before = Date.now()
    const created = await client.post('/users', { id: 'u1', attributes: { name: 'Ada', seats: 1, old: true } })
    expect(created.status).toBe(200)
    expect(created.body).toMatchObject({ id: 'u1', object: 'user', groups: null, memberships: null })
    expect(Date.parse(created.body.created_at)).toBeGreaterThan(before - LONGEST_WAIT_MS)
    const updated = await client.post('/users', { id: 'u1', attributes: { seats: { add: 2 }, old: null } })
    expect(updated.body).toEqual({ ...created.body, attributes: { name: 'Ada', seats: 3 } })
    expect((await client.get('/users/u1')).body).toEqual(updated.body)
  })

  it('can be sent back as it was read', async () => {
    const { client } = server
    const { body } = await client.post('/users', { id: 'back', attributes: { a: 1 } })
    expect((await client.post('/users', body)).body).toEqual(body)
  })

  it('needs no attributes', async () => {
    expect((await server.client.post('/users', { id: 'bare' })).body.attributes).toEqual({})
    expect((await server.client.post('/users', { id: 'bare', attributes: null, groups: null })).status).toBe(200)
  })

  it('is gone after its delete, which answers the same when there is none', async () => {
    const { client } = server
    await client.post('/users', { id: 'gone', groups: [{ id: 'stays' }] })
    const first = await client.delete('/users/gone')
    expect(first.body).toEqual({ id: 'gone', object: 'user', deleted: true })
    expect((await client.delete('/users/gone')).body).toEqual(first.body)
    expect((await client.get('/users/gone')).body.error).toMatchObject({
      code: 'not_found',
      message: "User with id 'gone' not found",
    })
    expect((await client.get('/groups/stays?expand=users')).body.users).toEqual([])
  })

  it('has an id with any characters, percent-encoded in a path', async () => {
    const { client } = server
    for (const id of ['a/b', 'ü €', '👩‍🚀', '?#&=%', '...', '.a', "o'); drop table users;--", 'x\u00a0y', '%2F']) {
      expect((await client.post('/users', { id })).body.id).toBe(id)
      expect((await client.get(`/users/${encodeURIComponent(id)}`)).body.id).toBe(id)
      expect((await client.delete(`/users/${encodeURIComponent(id)}`)).body).toEqual({
        id,
        object: 'user',
        deleted: true,
      })
      expect((await client.get(`/users/${encodeURIComponent(id)}`)).status).toBe(404)
    }
  })
})

describe('the list of users', () => {
  it('filters by email exactly', async () => {
    const { client } = server
    await client.post('/users', { id: 'mail1', attributes: { email: 'Ada@Example.com' } })
    await client.post('/users', { id: 'mail2', attributes: { email: 'ada@example.com' } })
    await client.post('/users', { id: 'mail3', attributes: { email: 5 } })
    const ids = async (email: string) =>
      (await client.get(`/users?email=${encodeURIComponent(email)}`)).body.data.map(({ id }: { id: string }) => id)
    expect(await ids('ada@example.com')).toEqual(['mail2'])
    expect(await ids('Ada@Example.com')).toEqual(['mail1'])
    expect(await ids('ada@example')).toEqual([])
    expect(await ids('5')).toEqual([])
    expect(await ids('')).toEqual([])
  })

  it('filters by group, also together with email', async () => {
    const { client } = server
    await client.post('/users', { id: 'm1', groups: [{ id: 'team' }], attributes: { email: 'm1@x' } })
    await client.post('/users', { id: 'm2', groups: [{ id: 'team' }] })
    const ids = async (query: string) =>
      (await client.get(`/users?${query}`)).body.data.map(({ id }: { id: string }) => id)
    expect(await ids('group_id=team')).toEqual(['m1', 'm2'])
    expect(await ids('group_id=team&email=m1@x')).toEqual(['m1'])
    expect(await ids('group_id=nobody')).toEqual([])
    expect(await ids('group_id=team&order_by=-created_at')).toEqual(['m2', 'm1'])
  })

  it('shows each user as its own GET does, whatever it holds', async () => {
    const { client } = server
    const values = {
      a: 1e308,
      b: 5e-324,
      c: '\u0001"\\\u2028/',
      d: '👩‍🚀',
      e: 0.1,
      f: false,
      g: '</script>',
      h: 1e21,
      email: 'same',
    }
    for (const id of ['"quoted"', '\\', '\u2028', '👾'.repeat(255), "'", '\u00a0', '</x>'])
      await client.post('/users', { id, attributes: values, groups: [{ id, attributes: values }] })
    for (const expand of ['', '&expand=memberships.group']) {
      const { data } = (await client.get(`/users?email=same${expand}`)).body
      expect(data).toHaveLength(7)
      for (const user of data)
        expect((await client.get(`/users/${encodeURIComponent(user.id)}?x=1${expand}`)).body).toEqual(user)
      expect(data[0].attributes).toEqual(values)
    }
    for (const group of (await client.get('/groups?limit=100')).body.data)
      expect((await client.get(`/groups/${encodeURIComponent(group.id)}`)).body).toEqual(group)
  })
})
