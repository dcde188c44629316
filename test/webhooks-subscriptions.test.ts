import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { limits } from '../contract/limits.ts'
import { DISGUISED_HOSTS, METADATA_ADDRESSES, SPECIAL_ADDRESSES } from './support/addresses.ts'
import { createTestDatabase, type TestDatabase } from './support/database.ts'
import { eventually, type Inbox, openInbox } from './support/deliveries.ts'
import { startNode, type TestNode } from './support/node.ts'
import { call } from './support/process.ts'

let database: TestDatabase
let server: TestNode
/** A second node on the same database. */
let second: TestNode
let inbox: Inbox

beforeAll(async () => {
  database = await createTestDatabase()
  server = await startNode({ DATABASE_URL: database.url })
  second = await startNode({ DATABASE_URL: database.url })
  inbox = await openInbox()
})
afterAll(async () => {
  await Promise.all([server.end(), second.end()])
  await inbox.close()
  await database.close()
})

afterEach(() => database.database.query('delete from webhook_subscriptions', []))

const path = '/webhook_subscriptions'
const create = (body: object = {}) => call(server, 'POST', path, { url: inbox.url, topics: ['*'], ...body })

it('creates a subscription with a secret that is shown only then', async () => {
  const created = await create({ topics: ['user', 'event.tracked.order placed', 'user'] })
  expect(created.body).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    object: 'webhook_subscription',
    api_version: '2020-01-03',
    created_at: expect.stringMatching(/Z$/),
    disabled: false,
    secret: expect.stringMatching(/^whsec_[\w-]{43}$/),
    topics: ['user', 'event.tracked.order placed'],
    url: inbox.url,
  })
  const { secret: _, ...shown } = created.body
  const own = `${path}/${shown.id}`
  expect((await call(server, 'GET', own)).body).toEqual(shown)
  expect((await call(server, 'GET', path)).body.data).toEqual([shown])
  expect((await call(server, 'PATCH', own, { disabled: false })).body).toEqual(shown)
})

it('changes the given fields and no others; null means absent', async () => {
  const { id } = (await create()).body
  const own = `${path}/${id}`
  const changed = await call(second, 'PATCH', own, { topics: ['user', 'user'], disabled: true, url: null })
  expect(changed.body).toMatchObject({ topics: ['user'], disabled: true, url: inbox.url })
  const read = (await call(server, 'GET', own)).body
  expect(read).toEqual(changed.body)
  const sentBack = await call(server, 'PATCH', own, { ...read, api_version: null, topics: null })
  expect(sentBack.body).toEqual(read)
  const moved = await call(server, 'PATCH', own, { url: `${inbox.url}/new` })
  expect(moved.body).toEqual({ ...read, url: `${inbox.url}/new` })
})

it('answers 404 for what is not there, and the same to every delete', async () => {
  const unknown = '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f'
  for (const id of [unknown, 'not-a-uuid', '%20']) {
    for (const [method, body] of [['GET'], ['PATCH', {}]] as const) {
      const answer = await call(server, method, `${path}/${id}`, body)
      expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
    }
    const deleted = await call(server, 'DELETE', `${path}/${id}`)
    expect(deleted.status).toBe(200)
    expect(deleted.body).toEqual({ id: decodeURIComponent(id), object: 'webhook_subscription', deleted: true })
  }
  const { id } = (await create()).body
  const first = await call(server, 'DELETE', `${path}/${id}`)
  expect(await call(server, 'DELETE', `${path}/${id}`)).toEqual(first)
  expect((await call(server, 'GET', `${path}/${id}`)).status).toBe(404)
})

it('refuses bad topics, versions, fields and URLs, and names them', async () => {
  const refusals: [object, string][] = [
    [{ topics: ['user.no_such_topic'] }, 'topics[0]: '],
    [{ topics: [] }, 'topics: '],
    [{ topics: null }, 'topics: '],
    [{ topics: Array.from({ length: limits.topicsPerSubscription + 1 }, (_, n) => `event.tracked.e${n}`) }, 'topics: '],
    [{ api_version: '2019-01-01' }, 'api_version: '],
    [{ topic: ['*'] }, 'topic: '],
    [{ url: 'ftp://example.com' }, 'url: '],
    [{ url: 'http://example.com/hook' }, 'url: '],
    [{ url: 'https://user:word@example.com/' }, 'url: '],
    [{ url: 'https://example.com/#part' }, 'url: '],
    [{ url: `https://example.com/${'a'.repeat(limits.urlCharacters)}` }, 'url: '],
    [{ url: 'http://169.254.169.254/latest/meta-data' }, 'url: '],
  ]
  for (const [body, beginning] of refusals) {
    const answer = await create(body)
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_params' } } })
    expect(answer.body.error.message.startsWith(beginning), answer.body.error.message).toBe(true)
  }
  expect((await call(server, 'GET', path)).body.data).toEqual([])
})

it('refuses special and disguised addresses at creation and at a change', async () => {
  const host = (address: string) => (address.includes(':') ? `[${address}]` : address)
  const hosts = [...SPECIAL_ADDRESSES, ...METADATA_ADDRESSES].map(host).concat(DISGUISED_HOSTS)
  expect(hosts.length).toBeGreaterThan(40)
  const { id } = (await create()).body
  const strict = await startNode({ DATABASE_URL: database.url, USHER_WEBHOOK_ALLOW_PRIVATE: 'false' })
  for (const each of hosts) {
    const created = await call(strict, 'POST', path, { url: `https://${each}/`, topics: ['*'] })
    const changed = await call(strict, 'PATCH', `${path}/${id}`, { url: `https://${each}/` })
    for (const { status, body } of [created, changed]) {
      expect([status, body.error?.message.slice(0, 5)], each).toEqual([400, 'url: '])
    }
  }
  await strict.end()
})

it('holds the limit exactly, with two nodes creating at once', async () => {
  const most = limits.subscriptionsPerEnvironment
  const answers = await Promise.all(
    Array.from({ length: most + 20 }, (_, index) =>
      call([server, second][index % 2] as TestNode, 'POST', path, {
        url: `${inbox.url}/${index}`,
        topics: ['user'],
      }),
    ),
  )
  const counts = Object.groupBy(answers, ({ status }) => status)
  expect(counts[200]).toHaveLength(most)
  expect(counts[400]).toHaveLength(20)
  expect(counts[400]?.[0]?.body.error).toMatchObject({ code: 'invalid_params' })
})

it('lists by creation and by URL, both ways, page by page', async () => {
  const urls = ['/b', '/a', '/c', '/a'].map((end) => inbox.url + end)
  for (const url of urls) await create({ url })
  const walk = async (order: string) => {
    const seen: string[] = []
    let next = `${path}?limit=1&order_by=${order}`
    for (;;) {
      const { body } = await call(server, 'GET', next)
      seen.push(...body.data.map(({ url }: { url: string }) => url))
      if (!body.has_more) return seen
      next = body.next_page_url.slice(server.url.length)
    }
  }
  expect(await walk('created_at')).toEqual(urls)
  expect(await walk('-created_at')).toEqual(urls.toReversed())
  expect(await walk('url')).toEqual(urls.toSorted())
  expect(await walk('-url')).toEqual(urls.toSorted().toReversed())
  expect((await call(server, 'GET', `${path}?starting_after=nope`)).body.error.message).toBe(
    "starting_after: Webhook subscription with id 'nope' not found",
  )
})

it('notifies of users and events by topic, and stops on both nodes when it is disabled, moved or deleted', async () => {
  const users = (await create({ url: `${inbox.url}/users`, topics: ['user'] })).body
  const events = (await create({ url: `${inbox.url}/events`, topics: ['event.tracked.order_placed'] })).body
  const bodies = () => inbox.arrivals.map(({ body }) => JSON.parse(body))
  const topics = () => bodies().map(({ topic }) => topic)
  await call(server, 'POST', '/users', { id: 'u1', attributes: { name: 'Ada' } })
  await call(server, 'POST', '/events', { name: 'order_placed', user_id: 'u1' })
  await call(server, 'POST', '/events', { name: 'other', user_id: 'u1' })
  const updated = await call(server, 'POST', '/users', { id: 'u1', attributes: { name: 'Grace' } })
  await eventually('three have arrived', () => inbox.arrivals.length === 3)
  expect(topics().toSorted()).toEqual(['event.tracked.order_placed', 'user.created', 'user.updated'])
  expect(bodies().find(({ topic }) => topic === 'user.updated').data.object).toEqual(updated.body)
  expect(inbox.arrivals[0]?.headers['user-agent']).toMatch(/^Usher\/\d+\.\d+\.\d+ \(\+http:.*\/docs\)$/)

  await call(server, 'PATCH', `${path}/${users.id}`, { disabled: true })
  await call(server, 'DELETE', `${path}/${events.id}`)
  await call(server, 'POST', '/users', { id: 'u1', attributes: { name: 'Edith' } })
  await call(server, 'POST', '/events', { name: 'order_placed', user_id: 'u1' })
  await call(server, 'PATCH', `${path}/${users.id}`, { disabled: false, url: `${inbox.url}/moved` })
  await call(server, 'POST', '/users', { id: 'u2' })
  await eventually('the next one has arrived', () => inbox.arrivals.length === 4)
  expect(bodies().at(-1)).toMatchObject({ topic: 'user.created', data: { object: { id: 'u2' } } })
})

it('removes the data of a deleted user and group from stored notifications and the log', async () => {
  inbox.answer = () => 500
  const { id } = (await create({ topics: ['user.created', 'event'] })).body
  await call(server, 'POST', '/users', { id: 'gone', attributes: { name: 'Ada' }, groups: [{ id: 'g' }] })
  await call(server, 'POST', '/events', { name: 'tick', group_id: 'g' })
  await call(server, 'POST', '/users', { id: 'stays' })
  const count = async (table: string) =>
    (await database.database.query<{ n: number }>(`select count(*) as n from ${table} where ${about(table)}`, [id]))[0]
      ?.n
  const about = (table: string) =>
    table === 'webhook_notifications'
      ? `id in (select notification_id from webhook_deliveries where subscription_id = $1::uuid)`
      : 'subscription_id = $1::uuid'
  await eventually('each was tried', async () => ((await count('webhook_attempts')) ?? 0) >= 3)
  await call(server, 'DELETE', '/users/gone')
  await call(server, 'DELETE', '/groups/g')
  expect(await count('webhook_deliveries')).toBe(1)
  expect(await count('webhook_notifications')).toBe(1)
  const attempts = await database.database.query<{ notification_id: string }>(
    'select distinct notification_id from webhook_attempts where subscription_id = $1::uuid',
    [id],
  )
  expect(attempts).toHaveLength(1)
  inbox.answer = () => 200
})
