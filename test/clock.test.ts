import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { parseOperations } from '../server/attributes/operations.ts'
import { CommitOrder } from '../server/batches/order.ts'
import { listNodes } from '../server/dashboard/system/queries.ts'
import type { EnvironmentId } from '../server/database/database.ts'
import { recordPresence, thisNode } from '../server/housekeeping/presence.ts'
import { newId, timeOfId } from '../server/ids.ts'
import type { Services } from '../server/services.ts'
import { startTestServer, type TestServer } from './support/client.ts'
import { countDeliveries, eventually, type Inbox, openInbox } from './support/deliveries.ts'
import { openPublicSide, Page } from './support/page.ts'
import { testServices } from './support/services.ts'

/** What happens when the clock of a machine is wrong for a while, and right again. */

const HOUR_MS = 3_600_000
const ENVIRONMENT = [1] as EnvironmentId[]

describe('the order of commits', () => {
  it.each([2 * HOUR_MS, -2 * HOUR_MS])(
    'follows the right clock again after one that was wrong by %i',
    async (wrong) => {
      let now = Date.parse('2026-03-01T12:00:00Z')
      const order = new CommitOrder(() => now)
      const stampMs = async () => {
        const position = await order.enter(ENVIRONMENT, true)
        await order.settle(position)
        order.horizon(ENVIRONMENT[0] as EnvironmentId)
        return position.stamp.ms
      }
      await stampMs()
      now += wrong
      expect(await stampMs()).toBe(now)
      now += 1_000 - wrong
      expect(await stampMs()).toBe(now)
      now += 1_000
      expect(await stampMs()).toBe(now)
    },
  )

  it('keeps times growing when the clock is set back a little', async () => {
    let now = Date.parse('2026-03-01T12:00:00Z')
    const order = new CommitOrder(() => now)
    const first = await order.enter(ENVIRONMENT, true)
    now -= 500
    const second = await order.enter(ENVIRONMENT, true)
    expect(second.stamp.ms).toBe(first.stamp.ms + 1)
  })
})

it('ids have the right time again after a clock that was wrong', () => {
  const now = Date.now()
  const ahead = newId(now + 2 * HOUR_MS)
  const [one, two] = [newId(now), newId(now)]
  expect(timeOfId(ahead)).toBe(now + 2 * HOUR_MS)
  expect(timeOfId(one)).toBe(now)
  expect(two > one).toBe(true)
})

describe('conditions about events', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterEach(() => void vi.restoreAllMocks())
  afterAll(() => server.close())

  const real = Date.now
  const beWrongBy = (ms: number) => vi.spyOn(Date, 'now').mockImplementation(() => real() + ms)

  /** Whether the user has the event of the last hour: asked for one user, counted, and listed. */
  async function found(event: string): Promise<unknown[]> {
    const { client } = server
    const condition = { event, within: '1h' }
    await client.post('/segments', { key: event, name: event, scope: 'user', condition })
    const [explained, counted, listed] = await Promise.all([
      client.post('/segments/explain', { segment: event, user_id: 'u' }),
      client.post('/segments/count', { condition, scope: 'user' }),
      client.get(`/users?segment=${event}`),
    ])
    return [explained.body.met, counted.body.count, listed.body.data.length]
  }

  it.each([2 * HOUR_MS, -2 * HOUR_MS])('hold at once for a node whose clock is wrong by %i', async (wrong) => {
    const [early, late] = wrong < 0 ? ['early_before', 'late_before'] : ['early_after', 'late_after']
    await server.client.post('/users', { id: 'u' })
    beWrongBy(wrong)
    const { body } = await server.client.post('/events', { name: late, user_id: 'u' })
    expect(Math.abs(Date.parse(body.time) - real())).toBeLessThan(60_000)
    expect(body.created_at >= body.time).toBe(true)
    vi.restoreAllMocks()
    expect(await found(late)).toEqual([true, 1, 1])
    await server.client.post('/events', { name: early, user_id: 'u' })
    beWrongBy(wrong)
    expect(await found(early)).toEqual([true, 1, 1])
  })
})

describe('a node', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterEach(() => void vi.restoreAllMocks())
  afterAll(() => server.close())

  it.each([48 * HOUR_MS, -48 * HOUR_MS])('whose clock is wrong by %i is there, and removes no other', async (wrong) => {
    const { database } = server
    const other = `insert into nodes (name, version, started_at, seen_at, opens_sealed)
        values ('other 1', '1', now(), now(), true) on conflict (name) do nothing`
    await database.query(other, [])
    const real = Date.now
    vi.spyOn(Date, 'now').mockImplementation(() => real() + wrong)
    await recordPresence(database)
    vi.restoreAllMocks()
    expect((await listNodes(database, 60)).map(({ name }) => name).sort()).toEqual([thisNode, 'other 1'].sort())
  })
})

it.each([2 * HOUR_MS, -2 * HOUR_MS])(
  'a page that a node with a clock wrong by %i has admitted is admitted by the others',
  async (wrong) => {
    const server = await startTestServer()
    onTestFinished(async () => {
      vi.restoreAllMocks()
      await server.close()
    })
    const { token } = await openPublicSide(server.services, server.environmentId)
    const page = new Page({ url: server.url, token })
    const real = Date.now
    vi.spyOn(Date, 'now').mockImplementation(() => real() + wrong)
    await page.identify('u')
    vi.restoreAllMocks()
    expect((await page.call('decide')).status).toBe(200)
    const { body } = await server.client.get('/users/u')
    expect(Math.abs(Date.parse(body.attributes.last_seen_at) - real())).toBeLessThan(60_000)
    vi.spyOn(Date, 'now').mockImplementation(() => real() + wrong)
    expect((await page.call('decide')).status).toBe(200)
  },
)

describe('webhooks', () => {
  let server: TestServer
  let inbox: Inbox

  beforeAll(async () => {
    inbox = await openInbox()
    server = await startTestServer()
    await server.client.post('/webhook_subscriptions', { url: inbox.url, topics: ['*'] })
  })
  beforeEach(() => void inbox.arrivals.splice(0))
  afterEach(() => void vi.restoreAllMocks())
  afterAll(async () => {
    await server.close()
    await inbox.close()
  })

  const names = () => inbox.arrivals.map(({ body }) => JSON.parse(body).data.object.name)
  const settled = async () => (await countDeliveries(server.database, server.environmentId)) === 0

  async function createdAt(name: string): Promise<number> {
    const { body } = await server.client.post('/events', { name, user_id: 'u' })
    return Date.parse(body.created_at)
  }

  it.each([2 * HOUR_MS, -2 * HOUR_MS])(
    'of one node arrive at once while its clock is wrong by %i, and after',
    async (wrong) => {
      const real = Date.now
      vi.spyOn(Date, 'now').mockImplementation(() => real() + wrong)
      expect(Math.abs((await createdAt('while')) - real())).toBeLessThan(60_000)
      vi.restoreAllMocks()
      expect(Math.abs((await createdAt('after')) - real())).toBeLessThan(60_000)
      await eventually('both arrive', () => inbox.arrivals.length === 2)
      expect(names().sort()).toEqual(['after', 'while'])
      await eventually('both are settled', settled)
    },
  )

  it.each([2 * HOUR_MS, -100 * HOUR_MS])(
    'of a node whose clock is wrong by %i are sent by the other one',
    async (wrong) => {
      const { database, environmentId } = server
      // It writes by its wrong clock, and sends nothing.
      const other: Services = testServices(database, { now: () => Date.now() + wrong })
      const job = {
        kind: 'event',
        name: 'elsewhere',
        userId: 'u',
        groupId: null,
        operations: parseOperations({}),
      } as const
      await other.write(environmentId, { ...job, time: new Date().toISOString(), timeMs: Date.now() })
      expect(Math.abs((await createdAt('here')) - Date.now())).toBeLessThan(60_000)
      await eventually('both arrive', () => inbox.arrivals.length === 2)
      expect(names().sort()).toEqual(['elsewhere', 'here'])
      await eventually('both are settled', settled)
    },
  )
})
