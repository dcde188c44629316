import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import type { FlowDocument } from '../contract/content/document.ts'
import { starters } from '../contract/content/starters.ts'
import { CounterTally } from '../server/counters/tally.ts'
import { keepOwners } from '../server/definitions/usage-queries.ts'
import { Remover } from '../server/deletions/remover.ts'
import { buildDocument } from '../server/openapi/document.ts'
import { advance, findProgress } from '../server/transfer/progress.ts'
import { startTestServer, type TestServer } from './support/client.ts'
import { publishTest, tour } from './support/content.ts'
import { memberOf } from './support/dashboard.ts'
import { countDeliveries, eventually, type Inbox, openInbox } from './support/deliveries.ts'
import { countLockWaits } from './support/lock-waits.ts'
import { silent } from './support/log.ts'

/** After the deletion of a user or a group no table has its values. */

const MARKER = 'ada-lovelace-1815@example.com'

let server: TestServer
let inbox: Inbox
beforeAll(async () => {
  inbox = await openInbox()
  server = await startTestServer()
})
afterAll(async () => {
  await server.close()
  await inbox.close()
})

/** In which tables of the schema the marker is, wherever in a row. */
async function tablesWithMarker(): Promise<string[]> {
  await server.services.counters.flush()
  const tables = await server.database.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = 'usher'::regnamespace and relkind in ('r', 'p') and not relispartition`,
    [],
  )
  const found: string[] = []
  for (const { name: table } of tables) {
    const rows = await server.database.query(
      `select 1 from ${table} as searched where strpos(to_jsonb(searched)::text, $1::text) > 0 limit 1`,
      [MARKER],
    )
    if (rows.length > 0) found.push(table)
  }
  return found
}

it('no table has a value of a deleted user or group, wherever it was written', async () => {
  const { client, services, database, environmentId } = server
  await client.post('/webhook_subscriptions', { url: inbox.url, topics: ['*'] })
  await client.post('/users', { id: 'known', attributes: { age: 1 } })
  await client.post('/groups', { id: 'known', attributes: { seats: 1 } })
  await client.post('/events', { name: 'e', user_id: 'known', attributes: { size: 1 } })
  const user = { id: 'u', attributes: { email: MARKER, age: MARKER }, groups: [{ id: 'g' }] }
  await client.post('/users', user, { 'idempotency-key': 'k' })
  await client.post('/groups', { id: 'g', attributes: { seats: MARKER } }, { 'idempotency-key': 'of-the-group' })
  const event = { name: 'e', user_id: 'u', group_id: 'g', attributes: { size: MARKER } }
  await client.post('/events', event, { 'idempotency-key': 'of-the-event' })
  const operations = [{ method: 'POST', path: '/users', body: user }]
  await client.post('/batch', { operations }, { 'idempotency-key': 'of-a-batch' })
  const owner = await memberOf(server, 'owner')
  await owner.call('updateUser', { environment: 'production', user_id: 'u', attributes: { email: `new ${MARKER}` } })
  await owner.call('updateGroup', { environment: 'production', group_id: 'g', attributes: { seats: `new ${MARKER}` } })
  const document = starters[0]?.document as FlowDocument
  const { id: content_id } = await owner.call('createContent', { environment: 'production', document })
  await owner.call('showAgain', { environment: 'production', content_id, user_id: 'u' })
  await goThroughTour()
  const rejected = [{ line: 2, reason: `id: ${MARKER}`, input: { id: 'u', attributes: { email: MARKER } } }]
  const progress = { lines: 2, stored: 1, refused: 1, chunkStart: 0, rejected }
  await advance(database, environmentId, 'a file', 0, progress)
  await services.usage.flush()
  await eventually('all is delivered', async () => (await countDeliveries(database, environmentId)) === 0)
  expect(await tablesWithMarker()).toEqual(
    expect.arrayContaining([
      'content_answers',
      'imports',
      'users',
      'groups',
      'events',
      'webhook_notifications',
      'attribute_conflicts',
      'audit_values',
      'idempotency_keys',
    ]),
  )

  // A value that is counted in memory when its user is deleted is not written afterwards.
  await client.post('/users', { id: 'u', attributes: { age: `late ${MARKER}` } })
  expect((await client.delete('/users/u')).status).toBe(200)
  expect((await client.delete('/groups/g')).status).toBe(200)
  await services.usage.flush()
  await eventually('all is delivered', async () => (await countDeliveries(database, environmentId)) === 0)
  expect(await tablesWithMarker()).toEqual([])
  expect(JSON.stringify((await client.get('/attribute_definitions?limit=100')).body)).not.toContain(MARKER)
  // The import that is resumed still reports the line.
  expect((await findProgress(database, environmentId, 'a file'))?.rejected).toEqual([
    { line: 2, reason: expect.stringContaining('deleted'), input: null },
  ])
})

it.each(['a user', 'a user that only events name'])(
  'values that are stored while %s is deleted are gone with it, whichever is first',
  async (kind) => {
    const { client, database, environmentId, services } = server
    const isWritten = kind === 'a user'
    await client.post('/events', { name: 'counted', user_id: 'known', attributes: { amount: 1 } })
    // Values are stored when this test says so, and not by the timer meanwhile.
    await services.usage.stop()
    const conflicts = () =>
      database.query('select name from attribute_conflicts where environment_id = $1::int and object_id = $2::text', [
        environmentId,
        'late',
      ])
    const begin = async () => {
      if (isWritten) await client.post('/users', { id: 'late' })
      await client.post('/events', { name: 'counted', user_id: 'late', attributes: { amount: MARKER } })
    }
    const oneWaits = () => eventually('one waits for the other', async () => (await countLockWaits(database)) > 0)

    // The values are stored first, and the deletion waits for them.
    await begin()
    const storing = await database.begin()
    const [event] = await database.query<{ id: string }>(
      'select id from events where environment_id = $1::int and user_id = $2::text order by id desc limit 1',
      [environmentId, 'late'],
    )
    const value = { scope: 'event', objectId: 'late', eventId: event?.id } as const
    expect(await keepOwners(storing, environmentId, [value])).toEqual([value])
    const deleted = client.delete('/users/late')
    await oneWaits()
    await services.usage.flush()
    await storing.commit()
    expect((await deleted).status).toBe(200)
    expect(await conflicts()).toEqual([])

    // The user is deleted first, and the values are not stored.
    await begin()
    const deleting = await database.begin()
    for (const table of ['users', 'events'])
      await deleting.query(
        `delete from ${table} where environment_id = $1::int and ${table === 'users' ? 'id' : 'user_id'} = $2::text`,
        [environmentId, 'late'],
      )
    const flushed = services.usage.flush()
    await oneWaits()
    await deleting.commit()
    await flushed
    expect(await conflicts()).toEqual([])
    await client.delete('/users/late')
  },
)

/** The user sees a flow and answers its question with the marker. */
async function goThroughTour(): Promise<void> {
  const { client, database, environmentId } = server
  await publishTest(database, environmentId, tour('tour'))
  const decided = await client.post('/decisions', { user_id: 'u', group_id: 'g', receipts: true })
  expect(decided.status).toBe(200)
  const claim = { content: 'tour', user_id: 'u', group_id: 'g', holder: 'a browser' }
  const { id } = (await client.post('/content_sessions', claim, { 'idempotency-key': 'a-claim' })).body
  const reports = [
    { sequence: 1, type: 'step_seen', step: 'ask' },
    { sequence: 2, type: 'answered', question: 'why', value: MARKER },
  ]
  const { status } = await client.post(`/content_sessions/${id}/progress`, { holder: 'a browser', reports })
  expect(status).toBe(200)
}

it('what is remembered of a user has no value of a group that was deleted, also not in receipts and stored answers', async () => {
  const { client, database, environmentId, services } = server
  const steps = [{ key: 'hello', type: 'dialog', blocks: [{ heading: 'On {{ group.tier | nothing }}' }] }]
  const who = { attribute: 'tier', of: 'group', is: 'exists' } as const
  const when = { frequency: 'always' } as const
  for (const key of ['seen', 'claimed', 'explained'])
    await publishTest(database, environmentId, tour(key, { who, when, steps } as never))
  const withGroup = { group_id: 'left-behind' }
  for (const id of ['stays', 'waits']) await client.post('/users', { id, groups: [{ id: 'left-behind' }] })
  await client.post('/groups', { id: 'left-behind', attributes: { tier: MARKER } })
  const claim = async (content: string, user_id: string) => {
    const key = { 'idempotency-key': `${content}-${user_id}` }
    const { body } = await client.post(
      '/content_sessions',
      { content, user_id, holder: 'a browser', ...withGroup },
      key,
    )
    expect(JSON.stringify(body.document)).toContain(MARKER)
    return body.id as string
  }
  const id = await claim('seen', 'stays')
  const reports = [{ sequence: 1, type: 'step_seen', step: 'hello' }]
  const key = { 'idempotency-key': 'reported' }
  expect((await client.post(`/content_sessions/${id}/progress`, { holder: 'a browser', reports }, key)).status).toBe(
    200,
  )
  await claim('claimed', 'waits')
  const asked = { user_id: 'stays', receipts: true, content: 'explained', ...withGroup }
  expect(JSON.stringify((await client.post('/decisions', asked, { 'idempotency-key': 'asked' })).body)).toContain(
    MARKER,
  )
  expect(JSON.stringify((await client.get(`/content_sessions/${id}?expand=receipt`)).body.receipt)).toContain(MARKER)
  await services.usage.flush()
  expect(await tablesWithMarker()).toEqual(expect.arrayContaining(['content_claims', 'content_sessions', 'groups']))
  expect((await client.delete('/groups/left-behind')).status).toBe(200)
  await services.usage.flush()
  await eventually('all is delivered', async () => (await countDeliveries(database, environmentId)) === 0)
  expect(await tablesWithMarker()).toEqual([])
  expect((await client.get(`/content_sessions/${id}`)).body).toMatchObject({ user_id: 'stays', group_id: null })
})

const routes = Object.entries(buildDocument().paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
)

it('what is kept of refused requests has the names of fields, and nothing else that was sent', async () => {
  const { client } = server
  const counted = vi.spyOn(CounterTally.prototype, 'refuse')
  onTestFinished(() => void counted.mockRestore())
  const quoted = `${MARKER}' "${MARKER}\` ${MARKER}`
  const wrong = [
    { id: MARKER, name: MARKER, time: MARKER, user_id: MARKER, group_id: MARKER, holder: MARKER, content: MARKER },
    { id: [quoted], key: quoted, url: quoted, topics: [quoted], since: quoted, condition: { segment: quoted } },
    {
      id: 'u',
      attributes: { a: { add: quoted }, b: { set: quoted, data_type: 'datetime' }, c: { data_type: quoted } },
    },
    { id: 'u', groups: [{ id: MARKER, attributes: MARKER }], document: quoted, key: MARKER, type: quoted },
    { operations: [{ method: quoted, path: `/users/${MARKER}` }], user_id: 'u', group_id: 'g', segment: quoted },
  ]
  const sent = encodeURIComponent(quoted)
  const query = `order_by=${sent}&starting_after=${sent}&expand[]=${sent}&scope=${sent}&state=${sent}&segment=${sent}`
  for (const [method, path] of routes)
    for (const id of [sent, '00000000-0000-0000-0000-000000000000']) {
      const address = `${path.replace(/\{\w+\}/g, id)}?${method === 'GET' ? query : ''}`
      for (const body of method === 'POST' || method === 'PATCH' ? wrong : [undefined])
        await client.send(method, address, body && JSON.stringify(body))
    }
  await client.get(`/users/${MARKER}/${MARKER}`)
  // Only the latest message of an hour is stored for each field.
  const messages = counted.mock.calls.map(([{ message }]) => message)
  expect(new Set(messages).size).toBeGreaterThan(50)
  expect([...new Set(messages)].filter((message) => message.includes(MARKER))).toEqual([])
})

it('the audit log keeps who changed which fields of a deleted user', async () => {
  const { client } = server
  const owner = await memberOf(server, 'owner')
  await client.post('/users', { id: 'audited', attributes: { email: MARKER } })
  await owner.call('updateUser', {
    environment: 'production',
    user_id: 'audited',
    attributes: { email: `new ${MARKER}` },
  })
  const entry = async () => (await owner.call('listAuditEntries', { target_id: 'audited' })).data.at(-1)
  expect(await entry()).toMatchObject({
    before: { email: MARKER },
    after: { email: `new ${MARKER}` },
    fields: ['email'],
  })
  await client.delete('/users/audited')
  expect(await entry()).toMatchObject({ action: 'user.changed', before: null, after: null, fields: ['email'] })
})

it('a repeat of what was deleted since is refused, alone and in a batch, and brings nothing back', async () => {
  const { client } = server
  const user = (id: string) => ({ method: 'POST', path: '/users', body: { id, attributes: { email: MARKER } } })
  const single = () => client.post('/users', user('alone').body, { 'idempotency-key': 'alone' })
  const operations = [user('first'), user('second')]
  const batch = async () => {
    const { body } = await client.post('/batch', { operations }, { 'idempotency-key': 'both' })
    return body.results.map(({ status }: { status: number }) => status)
  }
  await single()
  expect(await batch()).toEqual([200, 200])
  for (const id of ['alone', 'first']) await client.delete(`/users/${id}`)
  expect((await single()).body.error).toMatchObject({
    code: 'idempotency_key_reused',
    message: expect.stringContaining('deleted since'),
  })
  expect(await batch()).toEqual([409, 200])
  for (const id of ['alone', 'first']) expect((await client.get(`/users/${id}`)).status).toBe(404)
  await client.delete('/users/second')
})

it('more answers than a deletion empties at once are emptied in steps, and none of a user created since', async () => {
  const { client, database, environmentId } = server
  await client.post('/users', { id: 'many', attributes: { email: MARKER } }, { 'idempotency-key': 'many' })
  await database.query(
    `insert into idempotency_keys (environment_id, key, fingerprint, body, user_id, created_at)
     select $1::int, 'many ' || n, 'x', $2::text, 'many', case when n > 2000 then now() + interval '1 hour' else now() end
       from generate_series(1, 2001) as n`,
    [environmentId, MARKER],
  )
  const left = async () =>
    (
      await database.query<{ key: string }>(
        `select key from idempotency_keys where strpos(body, $1) > 0 and key like 'many%'`,
        [MARKER],
      )
    ).map(({ key }) => key)
  expect(await left()).toHaveLength(2_002)
  await client.delete('/users/many')
  expect((await left()).length).toBeGreaterThan(1)
  const remover = new Remover(database, silent)
  remover.start()
  await eventually('all are emptied', async () => (await left()).length === 1)
  await remover.stop()
  expect(await left()).toEqual(['many 2001'])
})
