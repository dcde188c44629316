import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { LiveMessage } from '../../contract/dashboard/live.ts'
import type { Output } from '../../contract/dashboard/operations.ts'
import { insertAccount } from '../../server/accounts/queries.ts'
import { startBackground, stopBackground } from '../../server/process/background.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { type Answered, type Browser, memberOf } from '../support/dashboard.ts'
import { Client } from '../support/requests.ts'
import { startService, type TestService } from '../support/service.ts'

let server: TestServer
let otherNode: TestService
let member: Browser
const environment = 'production'

beforeAll(async () => {
  server = await startTestServer()
  otherNode = await startService({ connection: server.connection })
  await startBackground(otherNode.services)
  member = await memberOf(server, 'member')
})
afterAll(async () => {
  await stopBackground(otherNode.services)
  await otherNode.close()
  await server.close()
})

/** Collects the messages of a stream until it ends or is stopped. */
async function watch(browser: Browser, slug = environment) {
  const abort = new AbortController()
  const response = await fetch(`${browser.url}/app/api/environments/${slug}/live`, {
    headers: { cookie: browser.cookie as string },
    signal: abort.signal,
  })
  const messages: LiveMessage[] = []
  let ended = false
  const read = async () => {
    let text = ''
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString()
      const parts = text.split('\n\n')
      text = parts.pop() as string
      for (const part of parts) if (part.startsWith('data: ')) messages.push(JSON.parse(part.slice(6)))
    }
  }
  void read()
    .catch(() => {})
    .finally(() => {
      ended = true
    })
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    requests: () => messages.flatMap(({ requests }) => requests),
    leftOut: () => messages.reduce((sum, { left_out }) => sum + left_out, 0),
    ended: () => ended,
    stop: () => abort.abort(),
  }
}

describe('Live', () => {
  it('shows a request with a revoked key where the key was valid, and nowhere else', async () => {
    const owner = await memberOf(server, 'owner')
    const { id, key } = await owner.call('createKey', { environment: 'staging', name: 'Old laptop' })
    const client = new Client(server.url, key)
    await owner.call('revokeKey', { environment: 'staging', key_id: String(id) })
    await expect.poll(async () => (await client.get('/users')).status).toBe(401)
    await client.close()
    await server.services.counters.flush()
    const errors = async (slug: string) => (await owner.call('listRequestErrors', { environment: slug })).data
    expect(await errors('staging')).toMatchObject([{ status: 401, keys: [{ name: 'Old laptop' }] }])
    expect((await errors(environment)).filter(({ status }) => status === 401)).toEqual([])
  })

  it('shows requests of this node and of others as they arrive, with their key, and none of another environment', async () => {
    const feed = await watch(member)
    expect([feed.status, feed.type]).toEqual([200, 'text/event-stream; charset=utf-8'])
    const elsewhere = new Client(otherNode.url, server.key)
    await server.client.post('/events', { name: 'here', user_id: 'u_here', attributes: { a: 1 } })
    await elsewhere.post('/events', { name: 'there', user_id: 'u_there' })
    await server.otherClient.post('/events', { name: 'staging_only', user_id: 'u' })
    await server.client.post('/users', { id: 'u_1', attributes: { seats: { add: 'x' } } })
    await expect
      .poll(() => feed.requests().map(({ event_name, code }) => event_name ?? code))
      .toEqual(expect.arrayContaining(['here', 'there', 'invalid_params']))
    expect(JSON.stringify(feed.requests())).not.toContain('staging_only')
    expect(feed.requests().find(({ event_name }) => event_name === 'here')).toMatchObject({
      method: 'POST',
      url: '/events',
      operation: 'trackEvent',
      status: 200,
      user_id: 'u_here',
      key_id: expect.any(Number),
    })
    feed.stop()
    await elsewhere.close()
  })

  it('shows a batch with its first event and its size, also a refused one, and says of a repeat that it is one', async () => {
    const { client } = server
    const event = { method: 'POST', path: '/events', body: { name: 'batched', user_id: 'u_1' } }
    const key = { 'idempotency-key': 'live' }
    const sent = [
      await client.post('/batch', { operations: [{ method: 'DELETE', path: '/users/none' }, event, event] }),
      await client.post('/batch', { operations: [null, 7, { path: 7, body: 'x' }] }),
      await client.post('/batch', { operations: 'none' }),
      await client.post('/events', event.body, key),
      await client.post('/events', event.body, key),
    ]
    const shown = await Promise.all(
      sent.map(({ headers }) => member.call('getRequest', { environment, request_id: String(headers['request-id']) })),
    )
    expect(shown.map(({ event_name, operations, is_replay }) => [event_name, operations, is_replay])).toEqual([
      ['batched', 3, false],
      [null, 3, false],
      [null, 0, false],
      ['batched', null, false],
      ['batched', null, true],
    ])
    const [owned] = (await member.call('listKeys', { environment })).data.slice(-1)
    expect(shown[0]?.key_shown).toBe(owned?.shown)
  })

  it('shows a request with a wrong key where there is one account', async () => {
    const feed = await watch(member)
    const stranger = new Client(server.url, 'ak_wrong_wrong_wrong')
    await stranger.get('/users')
    await expect.poll(() => feed.requests().map(({ code }) => code)).toContain('invalid_api_key')
    feed.stop()
    await stranger.close()
  })

  it('ends a stream with requests of wrong keys when there is a second account: they may be of that one', async () => {
    const feed = await watch(member)
    const account = await insertAccount(server.database, 'Second', 'self_hosted', new Date().toISOString())
    onTestFinished(
      async () => void (await server.database.query('delete from accounts where id = $1::int', [account?.id])),
    )
    await expect.poll(() => feed.ended()).toBe(true)
  })

  it('shows earlier requests to a new watcher, of other nodes too', async () => {
    const elsewhere = new Client(otherNode.url, server.key)
    await elsewhere.post('/events', { name: 'before', user_id: 'u_before' })
    const feed = await watch(member)
    await expect.poll(() => feed.requests().map(({ event_name }) => event_name)).toContain('before')
    feed.stop()
    await elsewhere.close()
  })

  it('leaves out and counts what is too much to show', async () => {
    const feed = await watch(member)
    const before = feed.requests().length
    const sent = 400
    // All in one second, however long they take.
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    await Promise.all(Array.from({ length: sent }, (_, n) => server.client.get(`/users/none?n=${n}`)))
    vi.useRealTimers()
    await expect.poll(() => feed.requests().length - before + feed.leftOut()).toBeGreaterThanOrEqual(sent)
    expect(feed.leftOut()).toBeGreaterThan(0)
    feed.stop()
  })

  it('ends with the session', async () => {
    const viewer = await memberOf(server, 'viewer')
    const feed = await watch(viewer)
    await viewer.call('signOut', {})
    await expect.poll(() => feed.ended()).toBe(true)
  })
})

/** Other nodes have 1.5 s to answer. When one is slower, it is asked again. */
async function shownRequest(by: Browser, request_id: string): Promise<Output<'getRequest'>> {
  let answered: Answered<Output<'getRequest'>> | undefined
  const ask = async () => {
    answered = await by.send('getRequest', { environment, request_id })
    return answered.status
  }
  await expect.poll(ask).toBe(200)
  return answered?.body as Output<'getRequest'>
}

describe('a request', () => {
  it('is found by its id on every node, with its bodies, which a viewer does not see', async () => {
    const elsewhere = new Client(otherNode.url, server.key)
    const answers = [
      await server.client.post('/users', { id: 'u_find', attributes: { note: 'secret <script>' } }),
      await elsewhere.post('/users', { id: 'u_find', attributes: { seats: { add: 'secret' } } }),
    ]
    const viewer = await memberOf(server, 'viewer')
    for (const { headers, status } of answers) {
      const request_id = String(headers['request-id'])
      const found = await shownRequest(member, request_id)
      expect(found).toMatchObject({ id: request_id, status, address: '127.0.0.1', user_id: 'u_find' })
      expect(found.request.text).toContain('secret')
      expect(JSON.parse(found.answer.text as string)).toBeTypeOf('object')
      const hidden = await shownRequest(viewer, request_id)
      expect(JSON.stringify(hidden)).not.toContain('secret')
      expect(hidden.request).toMatchObject({ text: null, is_hidden: true })
      expect((await member.send('getRequest', { environment: 'staging', request_id })).code).toBe('not_found')
    }
    await elsewhere.close()
  })

  it('is found on every node when its fields take most of what a message between nodes can hold', async () => {
    const elsewhere = new Client(otherNode.url, server.key)
    // Each character takes six bytes of JSON.
    const long = '\u0001'.repeat(300)
    const { headers } = await elsewhere.post('/events', { name: long, user_id: long, group_id: long })
    const found = await shownRequest(member, String(headers['request-id']))
    expect(found).toMatchObject({ status: 400, user_id: long })
    expect(found.request.text).toContain('\\u0001')
  })

  it('shows no secret of its answer, on this node or another', async () => {
    const elsewhere = new Client(otherNode.url, server.key)
    const created = await server.client.post('/webhook_subscriptions', { url: 'http://127.0.0.1:9/', topics: ['user'] })
    const path = `/webhook_subscriptions/${created.body.id}/rotate_secret`
    const heard: string[] = []
    const listener = await server.database.pool.connect()
    listener.on('notification', ({ payload }) => heard.push(payload ?? ''))
    await listener.query('listen usher_live')
    const watched = await watch(member)
    for (const { headers, body } of [created, await server.client.post(path, {}), await elsewhere.post(path, {})]) {
      expect(body.secret).toMatch(/^whsec_/)
      const request_id = String(headers['request-id'])
      const found = await shownRequest(member, request_id)
      expect(JSON.parse(found.answer.text as string)).toMatchObject({ id: created.body.id, secret: '(hidden)' })
      expect(JSON.stringify(found) + heard.join()).not.toContain(body.secret)
    }
    watched.stop()
    listener.release(true)
    await elsewhere.close()
  })

  it('that no node has in memory is not found', async () => {
    expect((await member.send('getRequest', { environment, request_id: 'req_unknown' })).code).toBe('not_found')
  })
})

it('one member does not take the streams of all', async () => {
  const viewer = await memberOf(server, 'viewer')
  const streams = []
  for (let count = 0; count < 10; count += 1) streams.push(await watch(viewer))
  expect(streams.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
  const more = await watch(viewer)
  const other = await watch(member)
  expect([more.status, other.status]).toEqual([503, 200])
  for (const stream of [...streams, more, other]) stream.stop()
})

it('one account does not take the streams of all, however many members it has', () => {
  const { live } = server.services
  const enough = live.watchers + 200
  const watches: { stop(): void }[] = []
  const open = (memberId: string, accountId: number) => {
    const watch = live.watch([], { memberId, accountId })
    if (watch) watches.push(watch)
    return watch
  }
  const [crowded, quiet] = [-1, -2]
  for (let count = 0; count < enough; count += 1) open(`member ${count}`, crowded)
  expect(watches.length).toBeGreaterThan(10)
  expect(watches.length).toBeLessThanOrEqual(100)
  expect(live.isFullFor({ memberId: 'one more', accountId: crowded })).toBe(true)
  expect(open('anybody', quiet)).toBeDefined()
  for (const watch of watches) watch.stop()
  expect(live.isFullFor({ memberId: 'one more', accountId: crowded })).toBe(false)
})
