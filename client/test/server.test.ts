import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../test/support/client.ts'
import { AuthenticationError, InvalidRequestError, NotFoundError, Usher } from '../src/index.ts'

let server: TestServer
let usher: Usher
beforeAll(async () => {
  server = await startTestServer()
  usher = new Usher({ baseUrl: server.url, apiKey: server.key })
})
afterAll(async () => await server.close())

it('users: upsert, retrieve, delete, with an id that needs encoding', async () => {
  const id = 'a/b ?#%é'
  const written = await usher.users.upsert({ id, attributes: { name: 'Ada', logins: { add: 2 }, seen: new Date(0) } })
  expect(written).toMatchObject({
    object: 'user',
    id,
    attributes: { name: 'Ada', logins: 2, seen: '1970-01-01T00:00:00.000Z' },
  })
  await usher.users.upsert({ id, attributes: { name: { set_once: 'Eve' }, logins: { subtract: 1 }, seen: null } })
  expect((await usher.users.retrieve(id)).attributes).toEqual({ name: 'Ada', logins: 1 })
  expect(await usher.users.delete(id)).toEqual({ id, object: 'user', deleted: true })
  await expect(usher.users.retrieve(id)).rejects.toBeInstanceOf(NotFoundError)
})

it('groups and memberships, expanded and removed', async () => {
  await usher.groups.upsert({ id: 'g', attributes: { name: 'Engines' } })
  const user = await usher.users.upsert(
    { id: 'member', memberships: [{ group: { id: 'g' }, attributes: { role: 'owner' } }] },
    { expand: 'memberships.group' },
  )
  expect(user.memberships[0]?.group.attributes.name).toBe('Engines')
  const group = await usher.groups.retrieve('g', { expand: ['users', 'memberships.user'] })
  expect(group.users.map(({ id }) => id)).toEqual(['member'])
  expect(group.memberships[0]?.user.id).toBe('member')
  expect(await usher.memberships.delete({ user_id: 'member', group_id: 'g' })).toMatchObject({ deleted: true })
  expect((await usher.groups.retrieve('g', { expand: 'users' })).users).toEqual([])
  expect(await usher.groups.delete('g')).toEqual({ id: 'g', object: 'group', deleted: true })
})

it('events: stored with their attributes and their time', async () => {
  const event = await usher.events.track(
    { name: 'project_created', user_id: 'member', attributes: { seats: 3 }, time: new Date(1_000) },
    { expand: 'user' },
  )
  expect(event).toMatchObject({ name: 'project_created', attributes: { seats: 3 }, time: '1970-01-01T00:00:01.000Z' })
  expect(event.user?.id).toBe('member')
})

it('events: read by id, listed by user, name and time, and deleted', async () => {
  const times = [1_000, 2_000, 3_000]
  for (const time of times) await usher.events.track({ name: 'listed', user_id: 'reader', time: new Date(time) })
  const query = { user_id: 'reader', name: 'listed', time: { gte: new Date(2_000), lt: new Date(4_000) }, limit: 1 }
  const seen = []
  for await (const event of usher.events.list(query)) seen.push(event)
  expect(seen.map(({ time }) => time)).toEqual(['1970-01-01T00:00:03.000Z', '1970-01-01T00:00:02.000Z'])
  const id = seen[0]?.id as string
  expect(await usher.events.retrieve(id)).toMatchObject({ id, name: 'listed' })
  expect(await usher.events.delete(id)).toEqual({ id, object: 'event', deleted: true })
  await expect(usher.events.retrieve(id)).rejects.toBeInstanceOf(NotFoundError)
})

it('a list gives its first page when awaited, and iterates over all pages', async () => {
  const ids = Array.from({ length: 25 }, (_, index) => `walk_${String(index).padStart(2, '0')}`)
  await usher.groups.upsert({ id: 'walkers' })
  for (const id of ids) await usher.users.upsert({ id, attributes: { name: id }, groups: [{ id: 'walkers' }] })
  const query = { group_id: 'walkers', order_by: '-attributes.name', limit: 10 } as const
  const page = await usher.users.list(query)
  expect([page.data.length, page.has_more]).toEqual([10, true])
  const walked: string[] = []
  for await (const user of usher.users.list({ ...query, expand: ['groups'] })) {
    expect(user.groups[0]?.id).toBe('walkers')
    walked.push(user.id)
  }
  expect(walked).toEqual(ids.toReversed())
  await expect(usher.users.list(query).toArray({ limit: 24 })).rejects.toThrow('more than 24')
})

it('an iteration continues when the last object was deleted, and requests no more when the caller stops', async () => {
  const seen: string[] = []
  for await (const user of usher.users.list({ group_id: 'walkers', limit: 5 })) {
    seen.push(user.id)
    await usher.users.delete(user.id)
    if (seen.length === 12) break
  }
  expect(new Set(seen).size).toBe(12)
})

it('an aborted signal ends an iteration, within a page too, with its reason', async () => {
  const controller = new AbortController()
  const seen: string[] = []
  const walk = async () => {
    for await (const user of usher.users.list({ limit: 2 }, { signal: controller.signal })) {
      seen.push(user.id)
      if (seen.length === 3) controller.abort(new Error('enough'))
    }
  }
  await expect(walk()).rejects.toThrow('enough')
  expect(seen).toHaveLength(3)
})

it('definitions', async () => {
  await usher.users.upsert({ id: 'defined', attributes: { plan: 'pro' } })
  const names = []
  for await (const { name, data_type } of usher.attributeDefinitions.list({ scope: 'user', limit: 1 }))
    names.push(`${name}: ${data_type}`)
  expect(names).toContain('plan: string')
  expect((await usher.eventDefinitions.list()).data.map(({ name }) => name)).toContain('project_created')
})

it('webhook subscriptions', async () => {
  const { id, secret } = await usher.webhookSubscriptions.create({ url: 'https://example.com/hook', topics: ['user'] })
  expect(secret).toMatch(/^whsec_/)
  expect(await usher.webhookSubscriptions.update(id, { disabled: true })).toMatchObject({ disabled: true })
  expect(await usher.webhookSubscriptions.retrieve(id)).toMatchObject({ id, disabled: true })
  expect((await usher.webhookSubscriptions.list({ order_by: '-url' })).data.map((one) => one.id)).toEqual([id])
  expect(await usher.webhookSubscriptions.delete(id)).toMatchObject({ deleted: true })
})

it('a batch: one result each in order, bad operations do not stop good ones', async () => {
  const results = await usher.batch([
    { method: 'POST', path: '/users', body: { id: 'batched', attributes: { n: { add: 1 } } } },
    { method: 'POST', path: '/events', body: { name: 'not!a name', user_id: 'batched' } },
    { method: 'DELETE', path: '/users/batched' },
  ])
  expect(results.map(({ status }) => status)).toEqual([200, 400, 200])
  const [user, event, removal] = results
  expect(user.status === 200 && user.body.attributes).toEqual({ n: 1 })
  expect(event.status === 400 && event.body.error.code).toBe('invalid_params')
  expect(removal.body).toEqual({ id: 'batched', object: 'user', deleted: true })
})

it('a buffer stores every event once and reports those that the server refused', async () => {
  const dropped: string[] = []
  const buffer = usher.events.buffer({
    maxBatch: 20,
    onDrop: ({ event, reason }) => dropped.push(`${event.name} ${reason}`),
  })
  for (let count = 0; count < 50; count += 1)
    buffer.track({ name: 'buffered', user_id: 'collector', attributes: { count } })
  buffer.track({ name: 'not!a name', user_id: 'collector' })
  await buffer.close()
  const stored = await usher.events.list({ user_id: 'collector', limit: 100 }).toArray({ limit: 100 })
  expect(stored.map(({ attributes }) => attributes.count).toSorted((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: 50 }, (_, count) => count),
  )
  await expect.poll(() => dropped).toEqual(['not!a name refused'])
})

it('failures are classes with status, code, message and request id', async () => {
  const wrong = await usher.users
    // @ts-expect-error: what the types refuse, the server refuses too
    .upsert({ id: 'u', attributes: { seats: { add: 'one' } } })
    .catch((error: unknown) => error)
  expect(wrong).toBeInstanceOf(InvalidRequestError)
  expect(wrong).toMatchObject({
    status: 400,
    code: 'invalid_params',
    param: 'attributes.seats.add',
    requestId: expect.stringMatching(/^req_/),
  })
  expect((wrong as Error).message).toContain('attributes.seats.add')
  const stranger = new Usher({ baseUrl: server.url, apiKey: 'ak_nobody' })
  await expect(stranger.users.list()).rejects.toBeInstanceOf(AuthenticationError)
  expect(await stranger.users.list().catch((error: unknown) => error)).toBeInstanceOf(AuthenticationError)
})

it.each([
  [{ baseUrl: 'nonsense', apiKey: 'ak_x' }, 'baseUrl:'],
  [{ baseUrl: 'ftp://x', apiKey: 'ak_x' }, 'baseUrl:'],
  [{ baseUrl: 'https://a:b@x', apiKey: 'ak_x' }, 'baseUrl:'],
  [{ baseUrl: 'https://x', apiKey: '' }, 'apiKey:'],
  [{ baseUrl: 'https://x', apiKey: 'ak\r\nx: y' }, 'apiKey:'],
  [{ baseUrl: 'https://x', apiKey: 'ak', timeoutMs: 0 }, 'timeoutMs:'],
  [{ baseUrl: 'https://x', apiKey: 'ak', maxRetries: -1 }, 'maxRetries:'],
])('%j is refused at once', (options, message) => {
  expect(() => new Usher(options)).toThrow(message)
})
