import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { usher, usherJson } from '../../test/support/command.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { startNode, type TestNode } from '../../test/support/node.ts'
import { call } from '../../test/support/process.ts'
import { httpReceiver, type Receiver } from '../../test/support/receivers.ts'
import { Client } from '../../test/support/requests.ts'

let database: TestDatabase
let server: TestNode
let receiver: Receiver
let subscription: string
let settings: Record<string, string>
const received: string[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  settings = { DATABASE_URL: database.url }
  server = await startNode(settings)
  receiver = await httpReceiver(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push(JSON.parse(body).id)
    response.end('ok')
  })
  const created = await call(server, 'POST', '/webhook_subscriptions', {
    url: `http://127.0.0.1:${receiver.port}/`,
    topics: ['user'],
  })
  subscription = created.body.id
  for (const id of ['a', 'b', 'c']) await call(server, 'POST', '/users', { id })
})
afterAll(async () => {
  await server.end()
  await receiver.close()
  await database.close()
})

const inProduction = ['--environment', 'Production']

it('delivers what happened before any command', async () => {
  await expect.poll(() => received.length).toBe(3)
})

it('sends a test notification, retries it, and lists the attempts', async () => {
  const { notification_id } = await usherJson<{ notification_id: string }>(
    ['webhooks', 'test', subscription, ...inProduction],
    settings,
  )
  await expect.poll(() => received.filter((id) => id === notification_id).length).toBe(1)
  const retried = await usher(['webhooks', 'retry', subscription, notification_id, ...inProduction], settings)
  expect(retried.stdout).toMatch(/created again|due now/)
  await expect.poll(() => received.filter((id) => id === notification_id).length).toBe(2)
  const attempts = async () =>
    (await usherJson<{ attempts: { status: number }[] }>(['webhooks', 'deliveries', ...inProduction], settings))
      .attempts
  await expect.poll(async () => (await attempts()).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
})

it('lists the subscriptions, and says why a delivery waits, with the environment known from the id', async () => {
  const listed = await usherJson<{ id: string; environment: string }[]>(['webhooks', 'list'], settings)
  expect(listed).toMatchObject([{ id: subscription, environment: 'Production', disabled: false }])
  await call(server, 'PATCH', `/webhook_subscriptions/${subscription}`, { disabled: true })
  const refused = await usher(['webhooks', 'test', subscription], settings)
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('is disabled')])
  await call(server, 'PATCH', `/webhook_subscriptions/${subscription}`, { disabled: false })
  onTestFinished(async () => void (await database.database.query('delete from webhook_deliveries', [])))
  await database.database.query(
    `insert into webhook_deliveries (environment_id, notification_id, subscription_id, state, due_at, attempt, expires_at)
     select environment_id, id, $1::uuid, 2, now() + interval '1 hour', 1, now() + interval '1 day'
       from webhook_notifications order by id limit 1`,
    [subscription],
  )
  const { stdout } = await usher(['webhooks', 'deliveries', '--subscription', subscription], settings)
  expect(stdout).toMatch(/held .*The receiver asked to wait longer/)
  const nothing = await usher(['webhooks', 'deliveries'], settings)
  expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining('--environment or --subscription')])
})

it('rotates a secret, and the old one still signs', async () => {
  const rotated = await usherJson<{ secret: string; old_secret_expires_at: string }>(
    ['webhooks', 'rotate-secret', subscription, '--overlap', '2h'],
    settings,
  )
  expect(rotated.secret).toMatch(/^whsec_/)
  expect(Date.parse(rotated.old_secret_expires_at) - Date.now()).toBeGreaterThan(7_000_000)
  const tooLong = await usher(['webhooks', 'rotate-secret', subscription, '--overlap', '8d'], settings)
  expect([tooLong.code, tooLong.stderr]).toEqual([2, expect.stringContaining('at most 7d')])
  const audited = await database.database.query(
    "select actor_kind, target_id from audit_entries where action = 'endpoint.secret_rotated'",
    [],
  )
  expect(audited).toEqual([{ actor_kind: 'command', target_id: subscription }])
})

it('replays a time range, after a dry run that sends nothing', async () => {
  const before = received.length
  const replay = (...more: string[]) =>
    usherJson<{ matching: number; written: number }>(
      ['webhooks', 'replay', subscription, ...inProduction, '--since', '1h', ...more],
      settings,
    )
  expect(await replay('--dry-run')).toMatchObject({ matching: 3, written: 0 })
  expect(received).toHaveLength(before)
  expect(await replay()).toMatchObject({ matching: 3, written: 3 })
  await expect.poll(() => received.length).toBe(before + 3)
})

it.each([
  [['test', 'nonsense'], /is not the id of a subscription/, 2],
  [['test', crypto.randomUUID()], /There is no subscription/, 1],
  [['retry', crypto.randomUUID(), crypto.randomUUID()], /There is no such delivery/, 1],
  [['replay', crypto.randomUUID(), '--since', 'yesterday'], /--since yesterday is not a time/, 2],
])('refuses webhooks %j in one line', async (words, line, code) => {
  const outcome = await usher(['webhooks', ...words, ...inProduction], settings)
  expect(outcome.stderr.trim().split('\n')).toHaveLength(1)
  expect(outcome.stderr).toMatch(line)
  expect(outcome.code).toBe(code)
})

it('secrets reset makes new secrets when the key is lost, and refuses while it is here or a server runs', async () => {
  const fresh = await createTestDatabase()
  onTestFinished(() => fresh.close())
  const [lost, next] = ['a', 'b'].map((digit) => digit.repeat(64)) as [string, string]
  const withKey = (key: string) => ({ DATABASE_URL: fresh.url, USHER_SECRET_KEY: key })
  const node = await startNode(withKey(lost))
  const client = new Client(node.url, node.key)
  const { body } = await client.post('/webhook_subscriptions', { url: 'http://127.0.0.1:9/', topics: ['user'] })
  const reset = ['secrets', 'reset', '--confirm']
  expect((await usher(reset, withKey(next))).stderr).toContain('stop every node first')
  await client.close()
  await node.end()
  // Those of the test itself.
  const end = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'usher' and datname = $1::text`
  const [{ name }] = (await fresh.database.query('select current_database() as name', [])) as [{ name: string }]
  await database.database.query(end, [name])
  expect((await usher(reset, withKey(lost))).stderr).toContain('nothing has to be reset')
  await expect(startNode(withKey(next))).rejects.toThrow('usher secrets reset')
  const { subscriptions } = (await usherJson(reset, withKey(next))) as {
    subscriptions: { id: string; secret: string }[]
  }
  expect(subscriptions).toEqual([{ id: body.id, url: 'http://127.0.0.1:9/', secret: expect.stringMatching(/^whsec_/) }])
  expect(subscriptions[0]?.secret).not.toBe(body.secret)
  await (await startNode(withKey(next))).end()
})
