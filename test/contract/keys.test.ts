import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertKey, listKeys, revokeKey } from '../../server/accounts/key-queries.ts'
import { hashKey, keyHints, newKey } from '../../server/accounts/keys.ts'
import { raiseRevision } from '../../server/accounts/queries.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { Client, type Json } from '../support/requests.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => await server.close())

it('a key is checked before the body is read', async () => {
  const { status } = await server.client.send('POST', '/users', 'x'.repeat(2_000_000), { authorization: 'Bearer no' })
  expect(status).toBe(401)
})

it('the scheme is Bearer in any case', async () => {
  for (const scheme of ['bearer', 'BEARER', 'Bearer'])
    expect((await server.client.get('/users', { authorization: `${scheme} ${server.key}` })).status).toBe(200)
})

it('a revoked key stops working within a second, and another key still works', async () => {
  const { database, environmentId, client } = server
  const key = newKey()
  await insertKey(database, environmentId, { hash: hashKey(key), ...keyHints(key) }, new Date().toISOString())
  const revocable = new Client(server.url, key)
  await raiseRevision(database)
  expect((await revocable.get('/users')).status).toBe(200)
  const row = (await listKeys(database)).find(({ last_four }) => last_four === key.slice(-4))
  await revokeKey(database, row?.id ?? 0, new Date().toISOString())
  await raiseRevision(database)
  // However slow the polls are: a request that comes a second later is refused.
  await sleep(1_000)
  expect((await revocable.get('/users')).status).toBe(401)
  expect((await client.get('/users')).status).toBe(200)
  await revocable.close()
})

describe('a key of another environment', () => {
  it('shows and changes nothing of this one', async () => {
    const { client, otherClient } = server
    await client.post('/users', {
      id: 'mine',
      attributes: { email: 'me@x', secret: 1 },
      groups: [{ id: 'ours', attributes: { group_secret: 1 } }],
    })
    await client.post('/events', { name: 'secret_event', user_id: 'mine', attributes: { event_secret: 1 } })
    const paths = [
      '/users/mine?expand=memberships.group',
      '/groups/ours?expand=users',
      '/users',
      '/groups',
      '/attribute_definitions',
      '/event_definitions',
    ]
    // The definitions of events tell how many there were, some time later.
    await server.services.usage.flush()
    const before = await Promise.all(paths.map(async (path) => (await client.get(path)).body))

    for (const path of ['/users/mine', '/groups/ours']) expect((await otherClient.get(path)).status).toBe(404)
    for (const path of [
      '/users',
      '/groups',
      '/users?email=me@x',
      '/users?group_id=ours',
      '/groups?user_id=mine',
      '/attribute_definitions',
      '/attribute_definitions?scope=group',
      '/attribute_definitions?event_name=secret_event',
      '/event_definitions',
    ])
      expect([path, (await otherClient.get(path)).body.data]).toEqual([path, []])
    expect((await otherClient.get('/users?starting_after=mine')).status).toBe(400)
    const event = await otherClient.post('/events?expand[]=user&expand[]=group', {
      name: 'x',
      user_id: 'mine',
      group_id: 'ours',
    })
    expect(event.body).toMatchObject({ user: null, group: null })
    const definition = before[4]?.data[0].id
    expect((await otherClient.get(`/attribute_definitions?starting_after=${definition}`)).status).toBe(400)

    await otherClient.post('/users', { id: 'mine', attributes: { email: null }, groups: [], prune_memberships: true })
    await otherClient.post('/groups', { id: 'ours', attributes: { changed: true } })
    expect((await otherClient.get('/groups/ours?expand=users')).body.users).toEqual([])
    await otherClient.delete('/group_memberships?user_id=mine&group_id=ours')
    await otherClient.delete('/users/mine')
    await otherClient.delete('/groups/ours')
    const after = await Promise.all(paths.map(async (path) => (await client.get(path)).body))
    expect(after).toEqual(before)
    const events = await server.database.query<Json>('select name from events where environment_id = $1::int', [
      server.environmentId,
    ])
    expect(events).toEqual([{ name: 'secret_event' }])
  })
})

describe('a plan without groups', () => {
  it('refuses group writes and nothing else', async () => {
    const starter = await startTestServer({ plan: 'starter' })
    const { client } = starter
    for (const [path, body] of [
      ['/groups', { id: 'g' }],
      ['/users', { id: 'u', groups: [{ id: 'g' }] }],
      ['/users', { id: 'u', groups: [] }],
      ['/users', { id: 'u', memberships: [{ group: { id: 'g' } }] }],
      ['/events', { name: 'opened', group_id: 'g' }],
      ['/events', { name: 'opened', user_id: 'u', group_id: 'g' }],
    ] as const) {
      const { status, body: answer } = await client.post(path, body)
      expect([status, answer.error.code]).toEqual([400, 'feature_not_available'])
    }
    expect((await client.get('/users/u')).status).toBe(404)
    expect((await client.post('/users', { id: 'u', groups: null })).status).toBe(200)
    expect((await client.get('/groups')).body.data).toEqual([])
    expect((await client.get('/events')).body.data).toEqual([])
    expect((await client.post('/events', { name: 'opened', user_id: 'u', group_id: null })).status).toBe(200)
    await starter.close()
  })
})
