import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/client.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.client.post('/users', { id: 'victim', attributes: { email: 'v@x' }, groups: [{ id: 'team' }] })
})
afterAll(async () => await server.close())

const injections = [
  "' or '1'='1",
  "'; drop table users; --",
  "') or true --",
  '" or ""="',
  '\\',
  "\\'; select pg_sleep(5); --",
  '$1',
  '1; select 1',
  "x' union select hash::text, prefix, last_four from api_keys --",
  '{victim}',
  'victim%',
  '_ict%m',
]

describe('SQL in strings stays a string', () => {
  it.each(injections)('%j', async (text) => {
    const { client } = server
    const encoded = encodeURIComponent(text)
    for (const query of ['email', 'group_id'])
      expect((await client.get(`/users?${query}=${encoded}`)).body.data).toEqual([])
    expect((await client.get(`/groups?user_id=${encoded}`)).body.data).toEqual([])
    expect((await client.get(`/attribute_definitions?event_name=${encoded}`)).body.data).toEqual([])
    for (const query of ['order_by', 'expand', 'starting_after', 'limit'])
      expect([query, (await client.get(`/users?${query}=${encoded}`)).status]).toEqual([query, 400])
    expect((await client.get(`/attribute_definitions?scope=${encoded}`)).status).toBe(400)
    expect((await client.get(`/users?starting_after=victim&position=${encoded}`)).status).toBe(200)
    for (const path of ['/users', '/groups']) {
      expect((await client.get(`${path}/${encoded}`)).status).toBe(404)
      expect((await client.delete(`${path}/${encoded}`)).body.id).toBe(text)
    }
    await client.delete(`/group_memberships?user_id=${encoded}&group_id=${encoded}`)
    expect((await client.post('/events', { name: text, user_id: 'victim' })).status).toBe(400)
    expect((await client.post('/users', { id: 'victim', attributes: { [text]: 1 } })).status).toBe(400)
    const stored = await client.post('/users', {
      id: text,
      attributes: { name: text, email: text },
      groups: [{ id: text }],
    })
    expect(stored.body.attributes).toEqual({ name: text, email: text })
    expect((await client.get(`/users?email=${encoded}&group_id=${encoded}`)).body.data).toHaveLength(1)
    await client.delete(`/users/${encoded}`)
    await client.delete(`/groups/${encoded}`)
    expect((await client.get('/users/victim?expand=groups')).body.groups).toHaveLength(1)
    expect((await client.get('/users')).body.data).toHaveLength(1)
  })

  it('a forged position changes only the page', async () => {
    const { client } = server
    const forge = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
    for (const position of [
      forge('created_at', "2026-01-01' or true --", 'victim'),
      forge('created_at', 'infinity', 'victim'),
      forge('created_at', '9999-99-99T99:99:99.999Z', 'victim'),
      forge('created_at', '2026-02-30T00:00:00.000Z', 'victim'),
      forge('created_at', '2025-02-29T00:00:00.000Z', 'victim'),
      forge('created_at', '0000-01-01T00:00:00.000Z', 'victim'),
      forge('created_at', '2026-01-01T24:00:00.000Z', 'victim'),
      forge('created_at', '2026-06-30T23:59:60.000Z', 'victim'),
      forge('created_at', '+275760-09-13T00:00:00.000Z', 'victim'),
      forge('created_at', '-000001-01-01T00:00:00.000Z', 'victim'),
      forge('created_at', '\0', 'victim'),
      forge('created_at', 5, 'victim'),
      forge('-created_at', '2026-01-01T00:00:00.000Z', 'victim'),
      forge({ toString: 1 }),
      'x'.repeat(5_000),
    ])
      expect((await client.get(`/users?starting_after=victim&position=${position}`)).body.data).toEqual([])
  })
})

/** All of these take linear time. A slower one would exceed the time limit of the test. */
describe('patterns are not made to run long by', () => {
  it.each([
    ['names', { id: 'slow', attributes: { [`${'a'.repeat(100_000)}!`]: 1, [`${'_- '.repeat(50_000)}\n`]: 1 } }],
    ['ids', { id: `${'a'.repeat(500_000)}\n` }],
    ['dates', { id: 'slow', attributes: { signed_up_at: `2026-01-03T09:30:00.${'0'.repeat(500_000)}` } }],
    ['operations', { id: 'slow', attributes: { a: { data_type: 'x'.repeat(500_000), set: '1'.repeat(400_000) } } }],
    ['fields', Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`field_${index}`, index]))],
    [
      'attributes',
      { id: 'slow', attributes: Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`a!${index}`, []])) },
    ],
    ['groups', { id: 'slow', groups: Array.from({ length: 50_000 }, () => ({ id: '' })) }],
  ])('%s', async (_, body) => {
    const { status, body: answer } = await server.client.post('/users', body)
    expect(status).toBe(400)
    expect(answer.error.message.length).toBeLessThan(20_000)
  })

  it.each([
    ['Accept', { accept: `${'application/json;q=0,'.repeat(300)}x` }],
    ['Accept with spaces', { accept: `text/html;${' '.repeat(6_000)}x` }],
    ['Content-Type', { 'content-type': `application/json${'\t'.repeat(6_000)}x` }],
    ['Authorization', { authorization: `Bearer ${' '.repeat(6_000)}x ` }],
  ])('%s', async (_, headers) => {
    expect((await server.client.post('/users', { id: 'x' }, headers)).status).toBeGreaterThanOrEqual(400)
  })
})
