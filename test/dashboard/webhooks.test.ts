import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { countReplay } from '../../server/dashboard/webhooks/replay.ts'
import { pauseDeliveries, resumeDeliveries } from '../../server/webhooks/pause.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { type Browser, memberOf } from '../support/dashboard.ts'
import { httpReceiver, type Receiver } from '../support/receivers.ts'

let server: TestServer
let admin: Browser
let receiver: Receiver
const environment = 'production'

beforeAll(async () => {
  server = await startTestServer()
  admin = await memberOf(server, 'admin')
  receiver = await httpReceiver((_, response) => void response.end('thank you'))
})
afterAll(async () => {
  await receiver.close()
  await server.close()
})

const create = async (path: string, topics = ['*']) =>
  await admin.call('createEndpoint', { environment, url: `http://127.0.0.1:${receiver.port}${path}`, topics })

describe('an endpoint', () => {
  it('shows its secret once, changes, is disabled, and is deleted with an entry in the log each', async () => {
    const { secret, ...created } = await create('/life', ['user.created'])
    expect(secret).toMatch(/^whsec_/)
    const { data } = await admin.call('listEndpoints', { environment })
    expect(data).toContainEqual(created)
    expect(JSON.stringify(data)).not.toContain(secret)
    const endpoint_id = created.id
    const changed = await admin.call('updateEndpoint', { environment, endpoint_id, disabled: true, topics: ['user'] })
    expect(changed).toMatchObject({ disabled: true, topics: ['user'], health: { state: 'disabled' } })
    const rotated = await admin.call('rotateSecret', { environment, endpoint_id })
    expect(rotated.secret).not.toBe(secret)
    expect((await admin.send('updateEndpoint', { environment: 'staging', endpoint_id, disabled: false })).code).toBe(
      'not_found',
    )
    expect((await admin.send('deleteEndpoint', { environment: 'staging', endpoint_id })).code).toBe('not_found')
    await admin.call('deleteEndpoint', { environment, endpoint_id })
    expect((await admin.send('getEndpoint', { environment, endpoint_id })).code).toBe('not_found')
    const entries = await admin.call('listAuditEntries', { action: 'endpoint', limit: 4 })
    expect(entries.data.map(({ action }) => action)).toEqual([
      'endpoint.deleted',
      'endpoint.secret_rotated',
      'endpoint.changed',
      'endpoint.created',
    ])
    expect(JSON.stringify(entries)).not.toContain('whsec_')
  })

  it.each([
    ['ftp://example.com', ['*']],
    ['not a url', ['*']],
    ['https://example.com', ['user.no_such_topic']],
    ['https://example.com', []],
  ])('is not created with %s and %j', async (url, topics) => {
    expect((await admin.send('createEndpoint', { environment, url, topics })).code).toBe('invalid_params')
  })
})

describe('deliveries', () => {
  it('of what the dashboard changes arrive like those of the API, and are shown with their attempts', async () => {
    const { id: endpoint_id } = await create('/arrives', ['user.created'])
    await admin.call('createUser', { environment, id: 'u_hook', attributes: { name: 'Ada' } })
    const delivered = async () =>
      (await admin.call('listDeliveries', { environment, endpoint_id, state: 'delivered' })).data
    await expect.poll(async () => (await delivered()).length).toBe(1)
    const [row] = await delivered()
    const notification_id = row?.notification_id as string
    const delivery = await admin.call('getDelivery', { environment, endpoint_id, notification_id })
    expect(delivery).toMatchObject({ state: 'delivered', topic: 'user.created', user_id: 'u_hook', last_status: 200 })
    expect(delivery.attempt_log).toHaveLength(1)
    expect(JSON.parse(delivery.request_body as string)).toMatchObject({ topic: 'user.created' })
    const timeline = await admin.call('listUserTimeline', { environment, user_id: 'u_hook', show: 'webhooks' })
    expect(timeline.data).toMatchObject([{ kind: 'webhook', deliveries: [{ endpoint_id, state: 'delivered' }] }])
    const elsewhere = await admin.send('getDelivery', { environment: 'staging', endpoint_id, notification_id })
    expect(elsewhere.code).toBe('not_found')
    const { endpoint, states } = await admin.call('getEndpoint', { environment, endpoint_id })
    expect(endpoint.health.hours).toHaveLength(24)
    expect(states.delivered.count).toBeGreaterThan(0)
    const retried = await admin.call('retryDelivery', { environment, endpoint_id, notification_id })
    expect(retried.result).toBe('sent_again')
  })

  it('that are sent again show the attempts that were made, and say when deliveries are paused', async () => {
    const { id: endpoint_id } = await create('/again', ['user.created'])
    await admin.call('createUser', { environment, id: 'u_again' })
    const rows = async () => (await admin.call('listDeliveries', { environment, endpoint_id })).data
    await expect.poll(async () => (await rows())[0]?.state).toBe('delivered')
    const notification_id = (await rows())[0]?.notification_id as string
    const path = `/webhook_subscriptions/${endpoint_id}`
    await server.client.patch(path, { disabled: true })
    const before = Date.now()
    const { body } = await server.client.post(`${path}/deliveries/${notification_id}/retry`, {})
    expect(body).toMatchObject({ state: 'on_hold', attempts: 1, last_attempt: { status: 200 } })
    // The time is that of the database, which may be some milliseconds behind this process.
    expect(Date.parse(body.next_attempt_at)).toBeGreaterThan(before - 1_000)
    await server.client.patch(path, { disabled: false })
    await pauseDeliveries(server.database, 'a test')
    const { result } = await admin.call('retryDelivery', { environment, endpoint_id, notification_id })
    await resumeDeliveries(server.database)
    expect(result).toBe('paused')
  })

  it('name whom they are about, and are found by that id, by their own id and by time', async () => {
    const { id: endpoint_id } = await create('/about', ['user.created'])
    for (const id of ['u_about_1', 'u_about_2']) await admin.call('createUser', { environment, id })
    const list = async (query: object) =>
      (await admin.call('listDeliveries', { environment, endpoint_id, ...query })).data.map(({ user_id }) => user_id)
    await expect.poll(() => list({ state: 'delivered' })).toEqual(['u_about_2', 'u_about_1'])
    expect(await list({ id: 'u_about_1' })).toEqual(['u_about_1'])
    const [row] = (await admin.call('listDeliveries', { environment, endpoint_id })).data
    expect(await list({ id: row?.notification_id })).toEqual(['u_about_2'])
    expect(await list({ id: 'u_about_1', state: 'waiting' })).toEqual([])
    expect(await list({ since: new Date(Date.now() + 60_000).toISOString() })).toEqual([])
    expect(await list({ id: 'nobody' })).toEqual([])
  })

  it('that ended with an incomplete answer are given up in the timeline too, whatever its status', async () => {
    const { id: endpoint_id } = await create('/cut', ['user.created'])
    await admin.call('createUser', { environment, id: 'u_cut' })
    const delivered = async () =>
      (await admin.call('listDeliveries', { environment, endpoint_id, state: 'delivered' })).data
    await expect.poll(async () => (await delivered()).length).toBe(1)
    await server.database.query(
      `update webhook_attempts set failure = 'no complete response within 15 s'
        where environment_id = $1::int and subscription_id = $2::uuid`,
      [server.environmentId, endpoint_id],
    )
    const { data } = await admin.call('listUserTimeline', { environment, user_id: 'u_cut', show: 'webhooks' })
    const shown = data.flatMap((item) => (item.kind === 'webhook' ? item.deliveries : []))
    expect(shown.find((each) => each.endpoint_id === endpoint_id)).toMatchObject({ state: 'given_up', status: 200 })
    expect((await admin.call('listDeliveries', { environment, endpoint_id })).data[0]?.state).toBe('given_up')
  })

  it('of a test show their outcome', async () => {
    const { id: endpoint_id } = await create('/test', ['user.created'])
    const { notification_id } = await admin.call('testEndpoint', { environment, endpoint_id })
    const read = () => admin.call('getDelivery', { environment, endpoint_id, notification_id })
    await expect.poll(async () => (await read()).state).toBe('delivered')
    expect((await read()).attempt_log[0]).toMatchObject({ status: 200, total_ms: expect.any(Number) })
  })
})

describe('a replay', () => {
  it('says how many first, sends them again, and shows its progress', async () => {
    const since = new Date(Date.now() - 60_000).toISOString()
    const { id: endpoint_id } = await create('/replay', ['event.tracked.replayed'])
    for (let n = 0; n < 3; n += 1) await server.client.post('/events', { name: 'replayed', user_id: 'u' })
    const delivered = async () => (await admin.call('getEndpoint', { environment, endpoint_id })).states.delivered.count
    await expect.poll(delivered).toBe(3)
    const count = await admin.call('countReplay', { environment, endpoint_id, since })
    expect(count).toEqual({ count: 3, is_more: false })
    const started = await admin.call('startReplay', { environment, endpoint_id, since })
    expect(started).toMatchObject({ state: 'running', total: 3 })
    const latest = async () => (await admin.call('listReplays', { environment, endpoint_id })).data[0]
    await expect.poll(async () => (await latest())?.state).toBe('finished')
    expect(await latest()).toMatchObject({ done: 3, written: 3 })
    const cancelled = await admin.call('cancelReplay', { environment, endpoint_id, replay_id: started.id })
    expect(cancelled.state).toBe('finished')
    const backwards = { environment, endpoint_id, since: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' }
    expect((await admin.send('startReplay', backwards)).code).toBe('invalid_params')
  })

  it('is counted among many others by few statements, none of which begins when nobody waits any more', async () => {
    const { id: endpoint_id } = await create('/rare', ['event.tracked.rare'])
    const { database, environmentId } = server
    const since = new Date(Date.now() - 3_600_000)
    await database.query(
      `insert into webhook_notifications (environment_id, id, topic, object, user_id, created_at)
       select $1::int, (lpad(to_hex($2::bigint + n), 12, '0') || '7000' || '8000' || lpad(n::text, 12, '0'))::uuid,
              case when n % 15000 = 0 then 'event.tracked.rare' else 'event.tracked.often' end, '{}', 'u', now()
         from generate_series(1, 45000) as n`,
      [environmentId, since.getTime()],
    )
    const spy = vi.spyOn(database, 'queryUnprepared')
    const statements = () => spy.mock.calls.filter(([text]) => text.includes('webhook_notifications')).length
    const count = await admin.call('countReplay', { environment, endpoint_id, since: since.toISOString() })
    expect(count).toEqual({ count: 3, is_more: false })
    expect(statements()).toBe(3)
    const replay = {
      environmentId,
      subscriptionId: endpoint_id,
      topics: ['event.tracked.rare'],
      since,
      until: new Date(),
    }
    await countReplay(database, replay, AbortSignal.abort())
    expect(statements()).toBe(3)
    spy.mockRestore()
    await database.query(
      "delete from webhook_notifications where topic in ('event.tracked.rare', 'event.tracked.often')",
      [],
    )
  })
})
