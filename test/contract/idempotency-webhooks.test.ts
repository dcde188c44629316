import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/client.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => await server.close())

const topics = ['user', 'event']

it('a subscription that is created twice with one key is one, with one secret', async () => {
  const { client } = server
  const headers = { 'idempotency-key': 'create' }
  const body = { url: 'http://127.0.0.1:9/hook', topics }
  const first = await client.post('/webhook_subscriptions', body, headers)
  const again = await client.post('/webhook_subscriptions', body, headers)
  expect([first.body.secret, again.headers['idempotent-replayed']]).toEqual([expect.any(String), 'true'])
  expect(again.text).toBe(first.text)
  expect((await client.get('/webhook_subscriptions')).body.data).toHaveLength(1)
  const change = { 'idempotency-key': 'change' }
  const path = `/webhook_subscriptions/${first.body.id}`
  const changed = await client.patch(path, { disabled: true }, change)
  await client.patch(path, { disabled: false })
  expect((await client.patch(path, { disabled: true }, change)).text).toBe(changed.text)
  expect((await client.get(path)).body.disabled).toBe(false)
  const removal = { 'idempotency-key': 'remove' }
  const removed = await client.delete(path, removal)
  expect((await client.delete(path, removal)).text).toBe(removed.text)
})

async function notifications(): Promise<number> {
  const rows = await server.database.query<{ count: number }>(
    'select count(*)::int as count from webhook_notifications where environment_id = $1::int',
    [server.environmentId],
  )
  return rows[0]?.count ?? 0
}

it('Usher-Notify: false stores without notifications; true or no header notifies; any other value is 400', async () => {
  const { client } = server
  await client.post('/webhook_subscriptions', { url: 'http://127.0.0.1:9/hook', topics })
  const before = await notifications()
  const event = { name: 'quiet', user_id: 'quiet' }
  for (const notify of ['false', 'true', undefined]) {
    const headers = { 'usher-notify': notify }
    expect((await client.post('/users', { id: 'quiet' }, headers)).status).toBe(200)
    expect((await client.post('/events', event, headers)).status).toBe(200)
  }
  expect(await notifications()).toBe(before + 4)
  expect((await client.get('/events?user_id=quiet')).body.data).toHaveLength(3)
  for (const notify of ['no', '', 'FALSE', '0']) {
    const { status, body } = await client.post('/users', { id: 'loud' }, { 'usher-notify': notify })
    expect([status, body.error.message]).toEqual([400, 'Usher-Notify: must be true or false'])
  }
  expect((await client.get('/users/loud')).status).toBe(404)
})
