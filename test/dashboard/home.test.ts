import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FlowDocument } from '../../contract/content/document.ts'
import { emptyDocument } from '../../contract/content/starters.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { type Browser, memberOf } from '../support/dashboard.ts'
import { Page } from '../support/page.ts'

let server: TestServer
let member: Browser
const environment = 'production'

beforeAll(async () => {
  server = await startTestServer()
  member = await memberOf(server, 'owner')
})
afterAll(async () => await server.close())

async function home(range: '1h' | '24h' | '7d' | '30d' = '1h', slug = environment) {
  await Promise.all([server.services.counters.flush(), server.services.usage.flush()])
  return await member.call('getHome', { environment: slug, range })
}

it('an environment that nothing has reached is empty, and says so', async () => {
  expect(await home('24h', 'staging')).toMatchObject({
    verdict: { kind: 'empty', level: 'ok' },
    has_events: false,
    has_users: false,
    requests: { total: 0, outcomes: [] },
  })
})

it('counts every request, event, user and group exactly once, in every range', async () => {
  const { client } = server
  await Promise.all(
    Array.from({ length: 30 }, (_, n) => client.post('/users', { id: `u_${n % 10}`, attributes: { n } })),
  )
  await Promise.all(
    Array.from({ length: 25 }, (_, n) => client.post('/events', { name: n % 5 ? 'often' : 'seldom', user_id: 'u_1' })),
  )
  await client.post('/users', { id: 'u_0', groups: [{ id: 'g_1' }, { id: 'g_2' }] })
  await client.post('/users', { id: 'u_bad', attributes: { seats: { add: 'x' } } })
  await client.post('/users', { id: 'u_bad', attributes: { seats: { add: 'y' } } })
  await client.get('/users/nobody')
  await client.delete('/users/u_9')
  await client.delete('/users/u_9')
  for (const range of ['1h', '24h', '7d', '30d'] as const) {
    const figures = await home(range)
    expect(figures).toMatchObject({
      has_events: true,
      users: { total: 9, today: 10 },
      groups: { total: 2, today: 2 },
      most_tracked: {
        names: 2,
        data: [
          { name: 'often', count: 20 },
          { name: 'seldom', count: 5 },
        ],
      },
      events_per_day: { total: 25 },
      requests: { total: 61, accepted: 58 },
      rejections: { reasons: 2 },
    })
    expect(figures.requests.outcomes).toEqual([
      { status: 200, code: null, count: 58 },
      { status: 400, code: 'invalid_params', count: 2 },
      { status: 404, code: 'not_found', count: 1 },
    ])
    expect(figures.rejections.data[0]).toMatchObject({
      code: 'invalid_params',
      field: 'attributes.seats.add',
      count: 2,
    })
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
    expect(sum(figures.requests.accepted_series.values)).toBe(58)
    expect(sum(figures.requests.rejected_series.values)).toBe(3)
    expect(sum(figures.events_per_minute.series.values)).toBe(25)
    expect(figures.events_per_minute.series.values).toHaveLength(60)
    expect(figures.events_per_minute.now).toBe(Math.max(...figures.events_per_minute.series.values.slice(-2)))
    expect(figures.events_per_minute.now).toBeGreaterThan(0)
  }
  expect((await member.call('listUsers', { environment })).total).toBe(9)
  const { data, total } = await member.call('listRequestErrors', { environment })
  expect(total).toBe(3)
  expect(data[0]).toMatchObject({ field: 'attributes.seats.add', count: 2, keys: [{ count: 2 }] })
  expect(data[0]?.hours.values.at(-1)).toBe(2)
})

it('shows a created user while it is counted, and nothing of it in another environment', async () => {
  expect(await home('1h', 'staging')).toMatchObject({ requests: { accepted: 0 }, users: { total: 0 } })
})

it('counts what a batch stored, and neither what it refused nor a repeat', async () => {
  const { otherClient } = server
  const event = (name: string) => ({
    method: 'POST',
    path: '/events',
    body: { name, user_id: 'u_1', attributes: { size: 1 } },
  })
  const operations = [event('batched'), event('batched'), event('')]
  const key = { 'idempotency-key': 'once' }
  for (let sent = 0; sent < 2; sent += 1)
    expect((await otherClient.post('/batch', { operations }, key)).status).toBe(200)
  expect((await otherClient.post('/batch', { operations, atomic: true })).status).toBe(400)
  expect((await otherClient.post('/batch', { operations: [event('atomic')], atomic: true })).status).toBe(200)
  const figures = await home('1h', 'staging')
  expect(figures.events_per_day.total).toBe(3)
  expect(figures.most_tracked.data).toEqual([
    { name: 'batched', count: 2 },
    { name: 'atomic', count: 1 },
  ])
  const { data } = await member.call('listAttributeDefinitions', { environment: 'staging', q: 'size' })
  expect(data[0]?.days.values.at(-1)).toBe(3)
})

it('counts a repeat with an Idempotency-Key as a request, and not as an event', async () => {
  const { otherClient } = server
  const before = await home('1h', 'staging')
  const key = { 'idempotency-key': 'single' }
  const event = { name: 'keyed', user_id: 'u_1', attributes: { weight: 1 } }
  for (let sent = 0; sent < 3; sent += 1) expect((await otherClient.post('/events', event, key)).status).toBe(200)
  const figures = await home('1h', 'staging')
  expect(figures.requests.total).toBe(before.requests.total + 3)
  expect(figures.events_per_day.total).toBe(before.events_per_day.total + 1)
  expect(figures.most_tracked.data).toContainEqual({ name: 'keyed', count: 1 })
  const { data } = await member.call('listAttributeDefinitions', { environment: 'staging', q: 'weight' })
  expect(data[0]?.days.values.at(-1)).toBe(1)
})

it('counts events on the day on which they happened, and says in minutes what arrived', async () => {
  const { otherClient } = server
  const before = await home('1h', 'staging')
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  for (const time of [daysAgo(3), daysAgo(3), daysAgo(800), undefined])
    await otherClient.post('/events', { name: 'dated', user_id: 'u_1', ...(time && { time }) })
  const figures = await home('1h', 'staging')
  expect(figures.events_per_day.total).toBe(before.events_per_day.total + 3)
  expect(figures.events_per_day.series.values.at(-4)).toBe(2)
  expect(figures.most_tracked.data).toContainEqual({ name: 'dated', count: 1 })
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  expect(sum(figures.events_per_minute.series.values)).toBe(sum(before.events_per_minute.series.values) + 4)
  const { data } = await member.call('listEventDefinitions', { environment: 'staging', q: 'dated' })
  expect(data[0]).toMatchObject({ total_14_days: 3, received: 4 })
  expect(data[0]?.days.values.at(-4)).toBe(2)
})

describe('counters', () => {
  it('survive a database that is unreachable for a while', async () => {
    const { counters } = server.services
    await counters.flush()
    const before = (await home()).requests.total
    await server.client.get('/users/u_1')
    await server.database.query('alter table counts rename to counts_away', [])
    await counters.flush()
    await server.database.query('alter table counts_away rename to counts', [])
    expect((await home()).requests.total).toBe(before + 1)
  })

  it('record when a key was last used', async () => {
    await server.client.get('/users/u_1')
    await server.services.counters.stop()
    const { data } = await member.call('listKeys', { environment })
    expect(Date.now() - Date.parse(data.at(-1)?.last_used_at as string)).toBeLessThan(60_000)
    server.services.counters.start()
  })
})

it('names content that nobody matches, and the identities that are refused', async () => {
  const document: FlowDocument = {
    ...(emptyDocument('flow') as FlowDocument),
    name: 'Nobody sees this',
    who: { attribute: 'plan', is: 'equals', value: 'none has it' },
  }
  const { id } = await member.call('createContent', { environment, document })
  const at = { environment, content_id: id }
  const { draft } = await member.call('getContent', at)
  const version = { expected_draft: draft.revision, inside: 'finish', description: '' } as const
  await member.call('publishContent', { ...at, ...version })
  await expect
    .poll(async () => (await home()).guidance)
    .toEqual({
      ...{ kind: 'nobody_matches', content_id: id, content_name: 'Nobody sees this' },
      ...{ step: null, count: 1, share: null },
    })
  const { token } = await member.call('createToken', { environment, name: 'Web app' })
  await member.call('createIdentitySecret', { environment })
  // Those before the switch were not refused.
  expect((await new Page({ url: server.url, token }).identify('u_1')).status).toBe(200)
  await member.call('setIdentity', { environment, identity: 'required' })
  await expect
    .poll(async () => (await new Page({ url: server.url, token }).identify('u_1')).status, { interval: 200 })
    .toBe(403)
  await expect.poll(async () => (await home()).guidance).toMatchObject({ kind: 'unsigned' })
  expect((await home()).guidance?.count).toBe(await refusals())
  await member.call('setIdentity', { environment, identity: 'report' })
  await expect.poll(async () => (await home()).guidance).toMatchObject({ kind: 'nobody_matches' })
})

it('does not name content that somebody has seen, though nobody matches now', async () => {
  const isRare = (plan: string) => server.client.post('/users', { id: 'u_1', attributes: { plan } })
  const publish = async (key: string, more: object = {}) => {
    const document = { ...(emptyDocument('flow') as FlowDocument), key, name: key, ...more }
    const { id } = await member.call('createContent', { environment, document })
    const { draft } = await member.call('getContent', { environment, content_id: id })
    const version = { expected_draft: draft.revision, inside: 'finish', description: '' } as const
    await member.call('publishContent', { environment, content_id: id, ...version })
    return document.steps[0]?.key
  }
  await isRare('rare')
  const step = await publish('seen', { who: { attribute: 'plan', is: 'equals', value: 'rare' } })
  const { body } = await server.client.post('/content_sessions', { content: 'seen', user_id: 'u_1', holder: 'page' })
  const reports = [{ sequence: 1, type: 'step_seen', step }]
  await server.client.post(`/content_sessions/${body.id}/progress`, { holder: 'page', reports })
  await isRare('no longer')
  // What is published has changed, so it is counted again: this one, and the one of the test before.
  await publish('unseen', { who: { attribute: 'plan', is: 'equals', value: 'rare' } })
  await expect.poll(async () => (await home()).guidance?.count).toBe(2)
})

async function refusals(): Promise<number> {
  await server.services.counters.flush()
  const [row] = await server.database.query<{ count: number }>(
    "select sum(count)::int as count from counts where kind = 'page_error' and name like 'identity_not_verified %'",
    [],
  )
  return row?.count ?? 0
}
