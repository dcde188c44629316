import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { listNewestOf } from '../server/dashboard/definitions/queries.ts'
import { Remover } from '../server/deletions/remover.ts'
import { leastIdAt } from '../server/ids.ts'
import { exportLines } from '../server/transfer/export.ts'
import { findNotifications } from '../server/webhooks/delivery/claim-queries.ts'
import { findListened } from '../server/webhooks/listener-queries.ts'
import { listWaitingAndAttempts } from '../server/webhooks/retry.ts'
import { startTestServer, type TestServer } from './support/client.ts'
import { publishTest, tour } from './support/content.ts'
import { addSubscription, eventually } from './support/deliveries.ts'
import { silent } from './support/log.ts'
import { countRemains, insertManyEvents } from './support/many-events.ts'
import { restoreElsewhere } from './support/restored.ts'

/** A restore makes two months of partitions; in a cluster each has its shards. */
const RESTORE_MS = 240_000

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => await server.close())

describe('the deletion of a group with 20,000 events', () => {
  let remover: Remover
  let subscriptionId: string
  beforeAll(async () => {
    const { client, database, environmentId, services } = server
    // Nothing is removed after the answer until the test starts it.
    await services.remover.stop()
    subscriptionId = await addSubscription(database, environmentId, 'http://127.0.0.1:1/')
    await client.post('/groups', { id: 'big', attributes: { old: true } })
    await insertManyEvents(database, environmentId, 'big', 20_000, subscriptionId)
    remover = new Remover(database, silent)
  })
  afterAll(() => remover.stop())

  it('answers when nothing of it is shown or sent any more, and leaves the rest for later', async () => {
    const { client, database, environmentId } = server
    const [event] = (await client.get('/events?group_id=big')).body.data
    expect((await client.delete('/groups/big')).status).toBe(200)
    expect((await client.get('/groups/big')).status).toBe(404)
    expect((await client.get('/events?group_id=big')).body.data).toEqual([])
    expect((await client.get('/events?name=many')).body.data).toEqual([])
    expect((await client.get(`/events/${event.id}`)).status).toBe(404)
    expect(await listNewestOf(database, environmentId, 'many', 10)).toEqual([])
    for await (const lines of exportLines(server.connection, environmentId, 'events', () => {})) expect(lines).toBe('')
    const { rows } = await database.pool.query("select id from webhook_notifications where group_id = 'big'")
    expect(rows.length).toBeGreaterThan(0)
    expect(
      await findNotifications(
        database,
        environmentId,
        rows.map(({ id }) => id),
        1_000_000,
      ),
    ).toEqual([])
    expect(await findListened(database, environmentId, subscriptionId, 10)).toEqual([])
    const ofGroup = ({ topic }: { topic: string | null }) => topic === 'event.tracked.many'
    const listed = await listWaitingAndAttempts(database, environmentId)
    expect([listed.waiting.filter(ofGroup), listed.is_complete]).toEqual([[], true])
    const briefly = await listWaitingAndAttempts(database, environmentId, { limit: 10, mostRead: 100 })
    expect([briefly.waiting.filter(ofGroup), briefly.is_complete]).toEqual([[], false])
    expect((await client.get(`/webhook_subscriptions/${subscriptionId}/deliveries`)).body.data).toEqual([])
    const delivery = `/webhook_subscriptions/${subscriptionId}/deliveries/${rows[0].id}`
    expect((await client.get(delivery)).status).toBe(404)
    expect(await countRemains(database, 'big')).toMatchObject({ events: 19_000, notifications: 1_000, pending: 1 })
  })

  it(
    'shows nothing where a backup of that moment is restored, and goes on there until no row is left',
    async () => {
      const { client, services, connection, close } = await restoreElsewhere(server)
      onTestFinished(close)
      const { database } = services
      expect(await countRemains(database, 'big')).toMatchObject({ events: 19_000, notifications: 1_000, pending: 1 })
      expect((await client.get('/groups/big')).status).toBe(404)
      for (const list of ['/events', '/events?group_id=big', '/events?name=many'])
        expect((await client.get(list)).body.data, list).toEqual([])
      for await (const lines of exportLines(connection, server.environmentId, 'events', () => {}))
        expect(lines).toBe('')
      services.remover.start()
      await eventually('all of it is gone', async () => (await countRemains(database, 'big')).pending === 0)
      expect(await countRemains(database, 'big')).toEqual({ events: 0, notifications: 0, deliveries: 0, pending: 0 })
    },
    RESTORE_MS,
  )

  it('keeps what is stored under the same id afterwards, apart from what was there before', async () => {
    const { client } = server
    expect((await client.post('/groups', { id: 'big', attributes: { is_new: true } })).body.attributes).toEqual({
      is_new: true,
    })
    const kept = (await client.post('/events', { name: 'many', group_id: 'big' })).body.id
    const shown = async () => (await client.get('/events?group_id=big')).body.data.map(({ id }: { id: string }) => id)
    expect(await shown()).toEqual([kept])
  })

  it('continues after a restart in the middle of it, until only the new rows are left', async () => {
    const { database } = server
    remover.start()
    await eventually('some of it is gone', async () => (await countRemains(database, 'big')).events < 19_001)
    await remover.stop()
    const halfway = await countRemains(database, 'big')
    expect(halfway).toMatchObject({ pending: 1 })
    expect(halfway.events).toBeGreaterThan(1)
    remover = new Remover(database, silent)
    remover.start()
    await eventually('all of it is gone', async () => (await countRemains(database, 'big')).pending === 0)
    // The event that was stored since, and its notification.
    expect(await countRemains(database, 'big')).toEqual({ events: 1, notifications: 1, deliveries: 1, pending: 0 })
    expect((await server.client.get('/groups/big')).body.attributes).toEqual({ is_new: true })
  })
})

it('an event of a deleted user that a node with a slow clock stores afterwards is kept and shown', async () => {
  const { client, database, environmentId } = server
  const track = async () => (await client.post('/events', { name: 'slow clock', user_id: 'deleted elsewhere' })).body.id
  const shown = async () =>
    (await client.get('/events?user_id=deleted%20elsewhere')).body.data.map(({ id }: { id: string }) => id)
  await track()
  await track()
  // What another node, whose clock is two seconds ahead, leaves when it deletes the user.
  const aheadMs = Date.now() + 2_000
  await database.query(
    `insert into pending_deletions (environment_id, owner, owner_id, boundary, requested_at)
     values ($1::int, 'user', 'deleted elsewhere', $2::uuid, now())`,
    [environmentId, leastIdAt(aheadMs)],
  )
  expect(await shown()).toEqual([])
  const kept = await track()
  expect(await shown()).toEqual([kept])
  // Until then all ids of this process are ahead of its clock.
  await expect.poll(() => Date.now() > aheadMs).toBe(true)
})

describe('the deletion of a user with 3,000 sessions', () => {
  const COUNT = 3_000
  beforeAll(() => server.services.remover.stop())
  const stored = async (table: string) =>
    (await server.database.query(`select 1 as row from ${table} where user_id = 'guided'`, [])).length

  it('hides all of them at once, and a new user of the id begins anew', async () => {
    const { client, database, environmentId } = server
    const content = await publishTest(database, environmentId, tour('long', { when: { frequency: 'once' } }))
    const run = async () => {
      const claim = { content: 'long', user_id: 'guided', holder: 'h' }
      const { body } = await client.post('/content_sessions', claim)
      const reports = [
        { sequence: 1, type: 'step_seen', step: 'ask' },
        { sequence: 2, type: 'answered', question: 'why', value: 'so' },
      ]
      expect((await client.post(`/content_sessions/${body.id}/progress`, { holder: 'h', reports })).status).toBe(200)
      return body.id as string
    }
    await client.post('/users', { id: 'guided' })
    const first = await run()
    await repeatSession(first, COUNT)
    expect(await stored('content_sessions')).toBe(COUNT + 1)
    expect((await client.delete('/users/guided')).status).toBe(200)
    expect(await stored('content_sessions')).toBeGreaterThan(COUNT / 2)
    const shown = async () => {
      const lists = [
        `?user_id=guided`,
        `?content_id=${content.id}`,
        `?content_id=${content.id}&order_by=last_activity_at`,
      ]
      const bodies = await Promise.all(lists.map(async (list) => (await client.get(`/content_sessions${list}`)).body))
      return bodies.map(({ data }) => data.map(({ id }: { id: string }) => id))
    }
    expect(await shown()).toEqual([[], [], []])
    const left = await database.query<{ id: string }>(
      `select id from content_sessions where user_id = 'guided' order by id desc limit 1`,
      [],
    )
    const id = left[0]?.id as string
    const late = { holder: 'h', reports: [{ sequence: 3, type: 'completed' }] }
    expect((await client.get(`/content_sessions/${id}?expand=answers`)).status).toBe(404)
    expect((await client.post(`/content_sessions/${id}/progress`, late)).status).toBe(404)
    expect((await client.post(`/content_sessions/${id}/end`, {})).status).toBe(404)
    expect((await client.get('/users/guided/export')).status).toBe(404)

    await client.post('/users', { id: 'guided' })
    expect((await client.get('/users/guided/export')).body.content_sessions).toEqual([])
    const answered = { answer: 'long', question: 'why', is: 'equals', value: 'so' }
    const { body: counted } = await client.post('/segments/count', {
      condition: { any: [answered, { content: 'long', is: 'seen' }] },
    })
    expect(counted.count).toBe(0)
    const decided = async () => (await client.post('/decisions', { user_id: 'guided', content: 'long' })).body.content
    expect(await decided()).toHaveLength(1)
    const forgotten = await run()
    expect(await decided()).toEqual([])
    expect((await client.delete(`/content_sessions/${forgotten}`)).status).toBe(200)
    expect(await decided()).toHaveLength(1)
    const again = await run()
    expect(await shown()).toEqual([[again], [again], [again]])
  })

  it('removes them in steps, and keeps those of the new user', async () => {
    const remover = new Remover(server.database, silent)
    remover.start()
    onTestFinished(() => remover.stop())
    await eventually('all of it is gone', async () => (await stored('content_sessions')) === 1)
    expect([await stored('content_answers'), await stored('content_states')]).toEqual([1, 1])
  })
})

/** Copies of a session and its answers, with ids of the same time. */
async function repeatSession(id: string, count: number): Promise<void> {
  const copies = Array.from({ length: count }, (_, n) => id.slice(0, -12) + String(n + 1).padStart(12, '0'))
  const repeat = async (table: string, key: string, changed: (copy: string) => object) => {
    const rows = await server.database.query<{ row: string }>(
      `select to_jsonb(original) as row from ${table} as original where environment_id = $1::int and ${key} = $2::uuid`,
      [server.environmentId, id],
    )
    // PostgreSQL calculates the slot itself.
    const originals = rows.map(({ row }) => ({ ...JSON.parse(row), activity_slot: undefined }))
    const filled = originals.flatMap((row) => copies.map((copy) => ({ ...row, ...changed(copy) })))
    const columns = Object.keys(JSON.parse(JSON.stringify(filled[0]))).join()
    await server.database.query(
      `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
      [JSON.stringify(filled)],
    )
  }
  const ended = { ended_at: new Date(), state: 'dismissed' }
  await repeat('content_sessions', 'id', (copy) => ({ id: copy, ...ended }))
  await repeat('content_answers', 'session_id', (copy) => ({ id: randomUUID(), session_id: copy }))
}

describe('the deletion of an event', () => {
  /** What is stored about the notifications of these events, and of all others. */
  async function notificationsOf(eventIds: readonly string[]) {
    const { database, environmentId } = server
    const rows = await database.query<{ id: string; eventId: string; deliveries: number; attempts: number }>(
      `select id, object::json ->> 'id' as "eventId",
              (select count(*)::int from webhook_deliveries as delivery
                where delivery.environment_id = $1::int and delivery.notification_id = notification.id) as deliveries,
              (select count(*)::int from webhook_attempts as attempt
                where attempt.environment_id = $1::int and attempt.notification_id = notification.id) as attempts
         from webhook_notifications as notification
        where environment_id = $1::int and topic = 'event.tracked.of_one_event'`,
      [environmentId],
    )
    const isOf = ({ eventId }: { eventId: string }) => eventIds.includes(eventId)
    return { own: rows.filter(isOf), others: rows.filter((row) => !isOf(row)) }
  }
  const track = (userId: string) => ({
    method: 'POST',
    path: '/events',
    body: { name: 'of_one_event', user_id: userId },
  })

  it('deletes its notification, with its deliveries and attempts, and no other', async () => {
    const { client, otherClient } = server
    for (const each of [client, otherClient])
      await each.post('/webhook_subscriptions', { url: 'http://127.0.0.1:1/', topics: ['event'] })
    const operations = Array.from({ length: 300 }, (_, index) => track(`u ${index % 3}`))
    const batches = await Promise.all(
      [operations, operations].map((each) => client.post('/batch', { operations: each })),
    )
    await otherClient.post('/batch', { operations })
    const ids: string[] = batches.flatMap(({ body }) =>
      body.results.map(({ body }: { body: { id: string } }) => body.id),
    )
    const attempted = async () => (await notificationsOf(ids)).own.filter(({ attempts }) => attempts > 0)
    await eventually('an attempt', async () => (await attempted()).length > 0)
    const deleted = [...new Set([...(await attempted()).map(({ eventId }) => eventId), ...ids.slice(0, 80)])]
    const deletions = deleted.map((id) => ({ method: 'DELETE', path: `/events/${id.toUpperCase()}` }))
    for (const sender of [otherClient, client, client]) await sender.post('/batch', { operations: deletions })
    const { own, others } = await notificationsOf(deleted)
    expect([own, others.length]).toEqual([[], ids.length - deleted.length])
    expect(others.every(({ deliveries }) => deliveries > 0)).toBe(true)
    const [orphans] = await server.database.query(
      `select count(*)::int as count from webhook_attempts as attempt
        where environment_id = $1::int and not exists (
          select from webhook_notifications as notification
           where notification.environment_id = $1::int and notification.id = attempt.notification_id)`,
      [server.environmentId],
    )
    expect(orphans).toEqual({ count: 0 })
  })

  it('with an id that no node can have assigned changes nothing', async () => {
    const before = await notificationsOf([])
    for (const id of ['ffffffff-ffff-ffff-ffff-ffffffffffff', '00000000-0000-0000-0000-000000000000', 'x'])
      expect((await server.client.delete(`/events/${id}`)).status).toBe(200)
    expect((await notificationsOf([])).others).toHaveLength(before.others.length)
  })
})
