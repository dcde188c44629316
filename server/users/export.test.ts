import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../test/support/client.ts'
import type { Json } from '../../test/support/requests.ts'
import { type TableRules, tables } from '../database/tables.ts'
import { leastIdAt, newId } from '../ids.ts'
import { exportUser } from './export.ts'
import { exportedParts, PAGE_BYTES } from './export-queries.ts'

const OBJECTS = 12
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** Attributes of 240,000 bytes, which is near their limit. */
const attributes = () => Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`a${n}`, 'x'.repeat(8_000)]))

/** A user with large objects of each kind: 3 MB of groups, of events, of notifications and of receipts. */
async function storeLarge(userId: string): Promise<void> {
  const { client, database, environmentId } = server
  await client.post('/webhook_subscriptions', { url: 'http://127.0.0.1:9/hooks', topics: ['event'] })
  for (let n = 0; n < OBJECTS; n += 1) {
    const { status } = await client.post('/groups', { id: `g${n}`, attributes: attributes() })
    const event = await client.post('/events', { name: 'large', user_id: userId, attributes: attributes() })
    expect([status, event.status]).toEqual([200, 200])
  }
  await client.post('/users', { id: userId, groups: Array.from({ length: OBJECTS }, (_, n) => ({ id: `g${n}` })) })
  await database.query(
    `insert into content_sessions (environment_id, id, content_id, version_id, type, user_id, state, reason, epoch, sequence,
       created_at, last_activity_at, receipt)
     select $1::int, id, $2::uuid, $2::uuid, 'flow', $3::text, 'active', 'auto', 1, 1, now(), now(),
            jsonb_build_object('large', repeat('x', 240000))
       from unnest($4::uuid[]) as id`,
    [environmentId, newId(), userId, Array.from({ length: OBJECTS }, newId)],
  )
}

it('an export holds a page of bounded bytes at a time, however large the objects of each kind are', async () => {
  await storeLarge('large')
  await server.client.post('/events', { name: 'small', user_id: 'large' })
  let text = ''
  let longest = 0
  for await (const chunk of await exportUser(server.database, server.environmentId, 'large')) {
    longest = Math.max(longest, Buffer.byteLength(chunk))
    text += chunk
  }
  const { memberships, events, content_sessions, webhook_notifications } = JSON.parse(text)
  expect([memberships, events, content_sessions, webhook_notifications].map(({ length }) => length)).toEqual([
    OBJECTS,
    OBJECTS + 1,
    OBJECTS,
    OBJECTS + 1,
  ])
  expect(new Set(events.map(({ id }: Json) => id)).size).toBe(OBJECTS + 1)
  expect(text.length).toBeGreaterThan(10 * PAGE_BYTES)
  // A comma, and the commas between the objects.
  expect(longest).toBeLessThanOrEqual(PAGE_BYTES + 200)
})

it('an object of more bytes than a page is exported alone', async () => {
  const { client, database, environmentId } = server
  for (const n of [1, 2, 3]) await client.post('/events', { name: 'seen', user_id: 'old', attributes: { n } })
  await database.query(
    `update events set attributes = jsonb_build_object('large', repeat('x', $2::int))
      where environment_id = $1::int and user_id = 'old' and attributes @> '{"n": 2}'`,
    [environmentId, 2 * PAGE_BYTES],
  )
  const { events } = (await client.get('/users/old/export')).body
  const sizes = events.map((event: Json) => event.attributes.large?.length)
  expect(sizes).toEqual([undefined, 2 * PAGE_BYTES, undefined])
})

it('has what another node with a clock ahead has stored, and not what is stored after the start', async () => {
  const { client, database, environmentId } = server
  await client.post('/webhook_subscriptions', { url: 'http://127.0.0.1:9/hooks', topics: ['event'] })
  await client.post('/events', { name: 'seen', user_id: 'ahead' })
  const [ahead, later] = [30_000, 40_000].map((ms) => leastIdAt(Date.now() + ms)) as [string, string]
  const change = (text: string, id: string) => database.query(text, [environmentId, id])
  await change(`update events set id = $2::uuid where environment_id = $1::int and user_id = 'ahead'`, ahead)
  await change(
    `update webhook_notifications set id = $2::uuid where environment_id = $1::int and user_id = 'ahead'`,
    ahead,
  )
  const insertSession = `
    insert into content_sessions (environment_id, id, content_id, version_id, type, user_id, state, reason, epoch, sequence,
      created_at, last_activity_at)
    values ($1::int, $2::uuid, $2::uuid, $2::uuid, 'flow', 'ahead', 'active', 'auto', 1, 1, now(), now())`
  await change(insertSession, ahead)
  const lines = await exportUser(database, environmentId, 'ahead')
  await change(insertSession, later)
  let text = ''
  for await (const chunk of lines) text += chunk
  const { events, content_sessions, webhook_notifications } = JSON.parse(text)
  const ids = [events, content_sessions, webhook_notifications].map((part) => part.map(({ id }: Json) => id))
  expect(ids).toEqual([[ahead], [ahead], [ahead]])
})

it('has what is remembered of content whose sessions are not kept any more', async () => {
  const { client, database, environmentId } = server
  await client.post('/users', { id: 'seen' })
  const contentId = newId()
  await database.query(
    `insert into content_states (environment_id, user_id, content_id, started, first_started_at, last_started_at, completed_at)
     values ($1::int, 'seen', $2::uuid, 2, '2026-01-03T09:30:00Z', '2026-01-04T09:30:00Z', '2026-01-04T09:31:00Z')`,
    [environmentId, contentId],
  )
  const { body } = await client.get('/users/seen/export')
  expect([body.content_sessions, body.content_states]).toEqual([
    [],
    [
      {
        content_id: contentId,
        object: 'content_state',
        started: 2,
        first_started_at: '2026-01-03T09:30:00.000Z',
        last_started_at: '2026-01-04T09:30:00.000Z',
        completed_at: '2026-01-04T09:31:00.000Z',
        dismissed_at: null,
        last_ended_at: null,
      },
    ],
  ])
})

it('every table that keeps rows about a user is exported, or left out for a reason', () => {
  const leftOut = {
    users: 'the user itself, which comes first',
    groups: 'they come with the memberships',
    content_answers: 'they come with their sessions',
    webhook_deliveries: 'when a notification was sent, and not what',
    webhook_attempts: 'when a notification was sent, and not what',
    audit_entries: 'what members have done',
    audit_values: 'what members have changed',
    attribute_conflicts: 'one value, as the example of a definition',
    request_errors: 'names of fields alone',
    imports: 'refused lines of a file',
    pending_deletions: 'of users that are deleted',
  }
  const exported = exportedParts.map(({ name }) => (name === 'memberships' ? 'group_memberships' : name))
  const kept = Object.entries<TableRules>(tables).filter(
    ([, { backup, erasure }]) => backup === 'kept' && erasure !== 'none',
  )
  expect([...exported, ...Object.keys(leftOut)].sort()).toEqual(kept.map(([name]) => name).sort())
})
