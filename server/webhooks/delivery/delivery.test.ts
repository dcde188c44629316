import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it, vi } from 'vitest'
import { verifySignature } from '../../../contract/signature.ts'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import {
  addNotifications,
  addSubscription,
  countDeliveries,
  eventually,
  type Inbox,
  openInbox,
  testSender,
} from '../../../test/support/deliveries.ts'
import { silent } from '../../../test/support/log.ts'
import { DatabaseClock } from '../../database/clock.ts'
import type { Database, EnvironmentId } from '../../database/database.ts'
import { findDelivery } from '../deliveries/deliveries.ts'
import { pauseDeliveries, resumeDeliveries } from '../pause.ts'
import { retryDelivery } from '../retry.ts'
import { sendTestNotification } from '../test-notification.ts'
import { DeliveryLoop, type DeliveryLoopOptions } from './delivery.ts'
import { SENDING } from './states.ts'

let test: TestDatabase
let environmentId: EnvironmentId
let cleanUps: (() => Promise<void>)[] = []

beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())
beforeEach(async () => {
  environmentId = await createEnvironment(test.database)
})
afterEach(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
  cleanUps = []
  // Every delivery loop sends what is due in all environments, by a clock of its own in some tests.
  await test.database.query('delete from webhook_deliveries', [])
})

function startDelivery(options: Partial<DeliveryLoopOptions> = {}): DeliveryLoop {
  const delivery = new DeliveryLoop({
    database: test.database,
    sender: testSender(),
    log: silent,
    graceMs: 0,
    ...options,
  })
  delivery.start()
  cleanUps.push(() => delivery.stop())
  return delivery
}

async function inbox(answer?: Inbox['answer']): Promise<Inbox> {
  const opened = await openInbox(answer)
  cleanUps.push(() => opened.close())
  return opened
}

const waiting = () => countDeliveries(test.database, environmentId)

it('sends each notification once, signed, and deletes the delivery when it is acknowledged', async () => {
  const receiver = await inbox()
  const subscription = await addSubscription(test.database, environmentId, receiver.url, 'whsec_own')
  const ids = await addNotifications(test.database, environmentId, [subscription], 300)
  startDelivery()
  await eventually('all are settled', async () => (await waiting()) === 0)
  expect(receiver.arrivals.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  const [arrival] = receiver.arrivals as [Inbox['arrivals'][number]]
  expect(
    verifySignature({
      header: arrival.headers['service-signature'] as string,
      body: arrival.body,
      secret: 'whsec_own',
      nowSeconds: Date.now() / 1000,
    }),
  ).toEqual({ valid: true })
  expect(arrival.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(JSON.parse(arrival.body)).toMatchObject({
    object: 'webhook_notification',
    api_version: '2020-01-03',
    topic: 'user.updated',
    data: { object: { object: 'user' } },
  })
  expect(receiver.most).toBeLessThanOrEqual(32)
})

it('logs each attempt with its outcome', async () => {
  const receiver = await inbox(() => (receiver.arrivals.length === 1 ? 503 : 200))
  const subscription = await addSubscription(test.database, environmentId, receiver.url)
  await addNotifications(test.database, environmentId, [subscription], 1)
  startDelivery({ random: () => 0 })
  await eventually('it is settled', async () => (await waiting()) === 0)
  const attempts = await test.database.query(
    'select attempt, status, failure, response, next_attempt_at from webhook_attempts where environment_id = $1::int order by id',
    [environmentId],
  )
  expect(attempts).toEqual([
    {
      attempt: 1,
      status: 503,
      failure: 'the receiver answered 503',
      response: 'seen',
      next_attempt_at: expect.any(String),
    },
    { attempt: 2, status: 200, failure: null, response: 'seen', next_attempt_at: null },
  ])
})

it('goes through the whole schedule over 72 hours, each attempt from a server just started, and gives up', async () => {
  const receiver = await inbox(() => 500)
  const subscription = await addSubscription(test.database, environmentId, receiver.url)
  const start = Date.now()
  let now = start
  await addNotifications(test.database, environmentId, [subscription], 1, start)
  const times: number[] = []
  while ((await waiting()) > 0) {
    const delivery = startDelivery({ clock: () => now, random: () => 0.5, pollMs: 60_000 })
    await eventually('an attempt is settled', () => delivery.stats().failed === 1)
    await delivery.stop()
    times.push((now - start) / 1000)
    // It is not sent shortly before it is due.
    const [row] = await test.database.query<{ due_at: string }>(
      'select due_at from webhook_deliveries where environment_id = $1::int',
      [environmentId],
    )
    if (row) now = Date.parse(row.due_at)
  }
  const hours = (seconds: number) => Math.round(seconds / 36) / 100
  expect(times.slice(0, 10)).toEqual([0, 5, 20, 65, 200, 605, 1820, 5465, 16_400, 49_205])
  expect(times.slice(10).map(hours)).toEqual([25.67, 37.67, 49.67, 61.67, 71.98])
  const [log] = await test.database.query(
    'select count(*) as attempts, count(next_attempt_at) as promised from webhook_attempts where environment_id = $1::int',
    [environmentId],
  )
  expect(log).toEqual({ attempts: 15, promised: 14 })
})

it('does not send a retry before it is due', async () => {
  const receiver = await inbox(() => 500)
  const subscription = await addSubscription(test.database, environmentId, receiver.url)
  let now = Date.now()
  await addNotifications(test.database, environmentId, [subscription], 1, now)
  const delivery = startDelivery({ clock: () => now, random: () => 0.5, pollMs: 100 })
  await eventually('the first attempt', () => receiver.arrivals.length === 1)
  await eventually('it is settled', async () => (await states()).includes(1))
  now += 4_999
  await nothingMore(delivery)
  expect(receiver.arrivals).toHaveLength(1)
  now += 1
  delivery.wake(environmentId)
  await eventually('the second attempt', () => receiver.arrivals.length === 2)
})

it('sends at once what was stored while the clock was two hours ahead, and says so', async () => {
  const receiver = await inbox()
  const subscription = await addSubscription(test.database, environmentId, receiver.url)
  const ids = await addNotifications(test.database, environmentId, [subscription], 3)
  // One waits for its first attempt, one for a retry, and one is leased by a node that is gone.
  await test.database.query(
    `update webhook_deliveries as delivery
        set due_at = $3::timestamptz, state = given.state, attempt = given.attempt,
            attempted_at = case when given.attempt > 0 then $3::timestamptz end,
            lease_id = case when given.state = 3 then given.id end
       from unnest($2::uuid[], '{0,1,3}'::smallint[], '{0,1,0}'::int[]) as given (id, state, attempt)
      where environment_id = $1::int and notification_id = given.id`,
    [environmentId, ids, new Date(Date.now() + 2 * 3_600_000).toISOString()],
  )
  const warn = vi.fn()
  const delivery = startDelivery({ log: { ...silent, warn } })
  await eventually('all arrive', () => receiver.arrivals.length === 3)
  expect(receiver.arrivals.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  expect(delivery.stats().broughtBack).toBe(3)
  expect(warn).toHaveBeenCalledWith({ environmentId, deliveries: 3 }, expect.stringContaining('a clock was wrong'))
})

it('neither drops nor gives up in its last hour what a clock that was set two hours forward would let expire', async () => {
  const receiver = await inbox(() => (receiver.arrivals.length === 1 ? 500 : 200))
  const subscription = await addSubscription(test.database, environmentId, receiver.url)
  await addNotifications(test.database, environmentId, [subscription], 1, Date.now() - 71 * 3_600_000)
  const databaseClock = new DatabaseClock()
  const aheadMs = 2 * 3_600_000
  for (const ms of [0, aheadMs]) await databaseClock.read({ query: async () => [{ ms: Date.now() + ms }] as never })
  vi.spyOn(databaseClock, 'read').mockResolvedValue({ setMs: 0, aheadMs: 0 })
  const wrong = startDelivery({ databaseClock, pollMs: 60_000 })
  await eventually('it fails', () => wrong.stats().failed === 1)
  await wrong.stop()
  expect([wrong.stats().givenUp, await waiting()]).toEqual([0, 1])
  startDelivery()
  await eventually('it is settled', async () => (await waiting()) === 0)
  expect(receiver.arrivals).toHaveLength(2)
})

it('leaves retries that are due in hours by their schedule', async () => {
  const receiver = await inbox()
  const subscription = await addSubscription(test.database, environmentId, receiver.url)
  await addNotifications(test.database, environmentId, [subscription], 1)
  await test.database.query(
    `update webhook_deliveries set state = 1, attempt = 8, attempted_at = now(), due_at = now() + interval '11 hours'
      where environment_id = $1::int`,
    [environmentId],
  )
  const delivery = startDelivery()
  await nothingMore(delivery)
  expect(receiver.arrivals).toEqual([])
  expect(delivery.stats().broughtBack).toBe(0)
})

it('sends nothing while deliveries are paused, says why, and sends all of it afterwards', async () => {
  const receiver = await inbox()
  const subscription = await addSubscription(test.database, environmentId, receiver.url)
  await pauseDeliveries(test.database, 'it is a copy')
  cleanUps.push(async () => void (await resumeDeliveries(test.database)))
  const warn = vi.fn()
  const delivery = startDelivery({ log: { ...silent, warn }, pollMs: 20 })
  const ids = await addNotifications(test.database, environmentId, [subscription], 2)
  delivery.wake(environmentId)
  await eventually('it is said', () => warn.mock.calls.length === 1)
  expect(warn).toHaveBeenCalledWith({ reason: 'it is a copy' }, expect.stringContaining('no webhooks are sent'))
  await polls(3)
  expect(receiver.arrivals).toEqual([])
  const shown = await findDelivery(
    test.database,
    environmentId,
    { id: subscription, disabled: false },
    ids[0] as string,
  )
  expect(shown).toMatchObject({ state: 'waiting', reason: 'deliveries_paused' })
  expect(await resumeDeliveries(test.database)).toBe(true)
  await eventually('both arrive', () => receiver.arrivals.length === 2)
  expect(receiver.arrivals.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
})

it('goes by the setting of the node before the pause of the database', async () => {
  const receiver = await inbox()
  const subscription = await addSubscription(test.database, environmentId, receiver.url)
  await addNotifications(test.database, environmentId, [subscription], 1)
  startDelivery({ setting: 'off', pollMs: 20 })
  await polls(3)
  expect(receiver.arrivals).toEqual([])
  await pauseDeliveries(test.database, 'it is a copy')
  cleanUps.push(async () => void (await resumeDeliveries(test.database)))
  startDelivery({ setting: 'on' })
  await eventually('it arrives', () => receiver.arrivals.length === 1)
})

it('honours Retry-After, also when the receiver has recovered', async () => {
  const receiver = await inbox(() =>
    receiver.arrivals.length === 1 ? { status: 429, headers: { 'retry-after': '600' } } : 200,
  )
  const subscription = await addSubscription(test.database, environmentId, receiver.url)
  let now = Date.now()
  const [asked] = await addNotifications(test.database, environmentId, [subscription], 1, now)
  const delivery = startDelivery({ clock: () => now, pollMs: 100 })
  await eventually('the refusal is settled', async () => (await states()).includes(2))
  await addNotifications(test.database, environmentId, [subscription], 1, now)
  delivery.wake(environmentId)
  await eventually('another is accepted', async () => (await waiting()) === 1)
  // A margin for the time that the test itself takes.
  now += 500_000
  await nothingMore(delivery)
  expect(receiver.arrivals).toHaveLength(2)
  now += 200_000
  delivery.wake(environmentId)
  await eventually('it comes after that', () => receiver.arrivals.length === 3)
  expect(receiver.arrivals[2]?.id).toBe(asked)
})

it('sends the backlog of a recovered receiver at once, slowly at first, instead of waiting for the intervals', async () => {
  let healthy = false
  const receiver = await inbox(() => (healthy ? 200 : 500))
  const subscription = await addSubscription(test.database, environmentId, receiver.url)
  await addNotifications(test.database, environmentId, [subscription], 200)
  // They have all failed often: the next attempts are hours later, except one.
  await test.database.query(
    `update webhook_deliveries set state = 1, attempt = 8, attempted_at = now(), due_at = now() + interval '3 hours'
      where environment_id = $1::int`,
    [environmentId],
  )
  await test.database.query(
    `update webhook_deliveries set due_at = now()
      where environment_id = $1::int and notification_id in (select notification_id from webhook_deliveries where environment_id = $1::int limit 4)`,
    [environmentId],
  )
  startDelivery()
  await eventually('it fails', () => receiver.arrivals.length === 4)
  expect(receiver.most).toBeLessThanOrEqual(4)
  await eventually('that is settled', async () => (await states()).every((state) => state === 1))
  healthy = true
  receiver.most = 0
  await test.database.query(
    `update webhook_deliveries set due_at = now()
      where environment_id = $1::int and notification_id in (select notification_id from webhook_deliveries where environment_id = $1::int limit 1)`,
    [environmentId],
  )
  await eventually('all have arrived', async () => (await waiting()) === 0)
  expect(new Set(receiver.arrivals.map(({ id }) => id)).size).toBe(200)
})

it('probes a failing receiver with one send at a time', async () => {
  const receiver = await inbox(() => 'hang')
  const subscription = await addSubscription(test.database, environmentId, receiver.url)
  await addNotifications(test.database, environmentId, [subscription], 100)
  startDelivery({ sender: testSender({ totalTimeoutMs: 300 }) })
  await eventually('the first few fail', () => receiver.arrivals.length > 4)
  receiver.most = 0
  const seen = receiver.arrivals.length
  await eventually('it is probed', () => receiver.arrivals.length >= seen + 2)
  expect(receiver.most).toBe(1)
})

it('sends at once what a person retries, also while its endpoint is probed and a probe hangs', async () => {
  const receiver = await inbox(() => (receiver.arrivals.length <= 4 ? 503 : 'hang'))
  const subscription = await addSubscription(test.database, environmentId, receiver.url)
  const ids = await addNotifications(test.database, environmentId, [subscription], 60)
  startDelivery({ sender: testSender({ totalTimeoutMs: 60_000 }) })
  await eventually('a probe hangs', () => receiver.arrivals.length === 5)
  const tried = new Set(receiver.arrivals.map(({ id }) => id))
  const untried = ids.filter((id) => !tried.has(id))
  const last = untried.at(-1) as string
  expect(await retryDelivery(test.database, environmentId, subscription, last)).toBe('due now')
  await eventually('it is sent beside the probe', () => receiver.arrivals.length === 6)
  expect(receiver.arrivals[5]?.id).toBe(last)
  const isTest = await sendTestNotification(test.database, environmentId, subscription)
  await eventually('a test is sent too', () => receiver.arrivals.length === 7)
  expect(receiver.arrivals[6]?.id).toBe(isTest)
  for (const id of untried.slice(0, 5)) await retryDelivery(test.database, environmentId, subscription, id)
  await eventually('four at most', () => receiver.arrivals.length === 9)
  expect(receiver.most).toBe(5)
})

const BACKLOG = inject('isLong') ? 5_000 : 1_000
it.each([1, 10])(`tells a healthy receiver while %i hang with a backlog of ${BACKLOG}`, async (hanging) => {
  const stuck = await inbox(() => 'hang')
  const healthy = await inbox()
  const stuckIds = await Promise.all(
    Array.from({ length: hanging }, (_, index) =>
      addSubscription(test.database, environmentId, `${stuck.url}/${index}`),
    ),
  )
  const subscription = await addSubscription(test.database, environmentId, healthy.url)
  await addNotifications(test.database, environmentId, stuckIds, BACKLOG / hanging)
  // Longer than `eventually` waits: the healthy one cannot be told after the others have timed out.
  const delivery = startDelivery({ sender: testSender({ totalTimeoutMs: 120_000 }) })
  await eventually('all that hang are at it', () => stuck.arrivals.length >= hanging)
  const ids = await addNotifications(test.database, environmentId, [subscription, ...stuckIds], 20)
  delivery.wake(environmentId)
  await eventually('the healthy one has all', () => healthy.arrivals.length === 20)
  expect(healthy.arrivals.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
})

it('sends first attempts before late retries', async () => {
  const receiver = await inbox()
  const subscription = await addSubscription(test.database, environmentId, receiver.url)
  const late = await addNotifications(test.database, environmentId, [subscription], 500, Date.now() - 60_000)
  await test.database.query('update webhook_deliveries set state = 1, attempt = 2 where environment_id = $1::int', [
    environmentId,
  ])
  const fresh = new Set(await addNotifications(test.database, environmentId, [subscription], 200))
  startDelivery()
  await eventually('all have arrived', () => receiver.arrivals.length === late.length + fresh.size)
  const place = (ids: ReadonlySet<string>) => {
    const places = receiver.arrivals.flatMap(({ id }, index) => (ids.has(id) ? [index] : []))
    return places.reduce((sum, index) => sum + index, 0) / places.length
  }
  expect(place(fresh)).toBeLessThan(200)
  expect(place(new Set(late))).toBeGreaterThan(300)
})

it('sends nothing of a disabled subscription, and continues when it is enabled again', async () => {
  const receiver = await inbox()
  const subscription = await addSubscription(test.database, environmentId, receiver.url)
  const setDisabled = (disabled: boolean) =>
    test.database.query('update webhook_subscriptions set disabled = $2::boolean where environment_id = $1::int', [
      environmentId,
      disabled,
    ])
  await setDisabled(true)
  await addNotifications(test.database, environmentId, [subscription], 10)
  const delivery = startDelivery({ pollMs: 50 })
  await nothingMore(delivery)
  expect(receiver.arrivals).toHaveLength(0)
  expect(await waiting()).toBe(10)
  await setDisabled(false)
  delivery.changed(environmentId, subscription)
  await eventually('they arrive', () => receiver.arrivals.length === 10)
})

it('gives up what was held for longer than the window, without sending it', async () => {
  const receiver = await inbox()
  const subscription = await addSubscription(test.database, environmentId, receiver.url)
  await addNotifications(test.database, environmentId, [subscription], 5, Date.now() - 73 * 3_600_000)
  startDelivery()
  await eventually('they are gone', async () => (await waiting()) === 0)
  expect(receiver.arrivals).toHaveLength(0)
})

it('sends waiting deliveries to a new URL, and none of a deleted subscription', async () => {
  const first = await inbox(() => 500)
  const second = await inbox()
  const moved = await addSubscription(test.database, environmentId, first.url)
  const deleted = await addSubscription(test.database, environmentId, second.url)
  const ids = await addNotifications(test.database, environmentId, [moved], 1)
  const delivery = startDelivery({ random: () => 0 })
  await eventually('the first attempt fails', async () => (await states()).includes(1))
  await addNotifications(test.database, environmentId, [deleted], 3)
  await test.database.query(
    'update webhook_subscriptions set url = $2::text where environment_id = $1::int and id = $3::uuid',
    [environmentId, second.url, moved],
  )
  await test.database.query('delete from webhook_subscriptions where environment_id = $1::int and id = $2::uuid', [
    environmentId,
    deleted,
  ])
  delivery.changed(environmentId, deleted)
  await eventually('nothing waits', async () => (await waiting()) === 0)
  expect(first.arrivals).toHaveLength(1)
  expect(second.arrivals.map(({ id }) => id)).toEqual(ids)
})

it('sends no waiting delivery whose topic the subscription does not ask for any more', async () => {
  const receiver = await inbox(({ id }) => (id === kept ? 200 : 500))
  const subscription = await addSubscription(test.database, environmentId, receiver.url)
  const [kept = ''] = await addNotifications(test.database, environmentId, [subscription], 1)
  await addNotifications(test.database, environmentId, [subscription], 3)
  await test.database.query(
    "update webhook_notifications set topic = 'event.tracked.opened' where environment_id = $1::int and id <> $2::uuid",
    [environmentId, kept],
  )
  await test.database.query(
    "update webhook_subscriptions set topics = '{user}' where environment_id = $1::int and id = $2::uuid",
    [environmentId, subscription],
  )
  startDelivery()
  await eventually('nothing waits', async () => (await waiting()) === 0)
  expect(receiver.arrivals.map(({ id }) => id)).toEqual([kept])
})

/** Runs `change` after each statement whose text has these words, before its answer is used. */
function afterStatements(words: string, change: () => void | Promise<void>): Database {
  const { database } = test
  return new Proxy(database, {
    get(target, name) {
      if (name === 'queryUnprepared')
        return async (text: string, values: readonly unknown[]) => {
          const rows = await target.queryUnprepared(text, values)
          if (text.includes(words)) await change()
          return rows
        }
      const value = Reflect.get(target, name, target) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

it('sends what takes PostgreSQL longer to answer than a claimed delivery may wait', async () => {
  const receiver = await inbox()
  const subscription = await addSubscription(test.database, environmentId, receiver.url)
  await addNotifications(test.database, environmentId, [subscription], 20)
  let now = Date.now()
  const database = afterStatements('from webhook_notifications', () => {
    now += 300
  })
  startDelivery({ database, clock: () => now })
  await eventually('all are settled', async () => (await waiting()) === 0)
  expect(receiver.arrivals).toHaveLength(20)
})

it('sends nothing that was being claimed when its subscription was disabled', async () => {
  const receiver = await inbox()
  const subscription = await addSubscription(test.database, environmentId, receiver.url)
  await addNotifications(test.database, environmentId, [subscription], 3)
  const setDisabled = async (disabled: boolean) => {
    await test.database.query(
      'update webhook_subscriptions set disabled = $3::boolean where environment_id = $1::int and id = $2::uuid',
      [environmentId, subscription, disabled],
    )
    delivery.changed(environmentId, subscription)
  }
  let isDisabled = false
  const database = afterStatements('from webhook_notifications', async () => {
    if (!isDisabled) await setDisabled(true)
    isDisabled = true
  })
  const delivery = startDelivery({ database })
  await eventually('what was claimed is released', async () => {
    const rows = await test.database.query(
      `select from webhook_deliveries where environment_id = $1::int and state <> ${SENDING} and attempt = 0`,
      [environmentId],
    )
    return isDisabled && rows.length === 3
  })
  expect(receiver.arrivals).toHaveLength(0)
  await setDisabled(false)
  await eventually('all are settled', async () => (await waiting()) === 0)
  expect(receiver.arrivals).toHaveLength(3)
})

/** Runs `before` before each claim of deliveries of an environment. */
function beforeClaims(before: (environmentId: unknown) => void | Promise<void>): Database {
  return new Proxy(test.database, {
    get(target, name) {
      const value = Reflect.get(target, name, target) as unknown
      if (name !== 'queryUnprepared') return typeof value === 'function' ? value.bind(target) : value
      return async (text: string, values: readonly unknown[]) => {
        if (text.includes('lease_id = $8')) await before(values[0])
        return await target.queryUnprepared(text, values)
      }
    },
  })
}

async function addBacklogs(environments: readonly EnvironmentId[]): Promise<void> {
  const receiver = await inbox()
  for (const each of environments) {
    const subscription = await addSubscription(test.database, each, receiver.url)
    await addNotifications(test.database, each, [subscription], 40)
  }
}

it('an environment whose deliveries cannot be claimed delays no other', async () => {
  const broken = await createEnvironment(test.database)
  await addBacklogs([broken, environmentId])
  const claims = { broken: 0, other: 0 }
  const database = beforeClaims((each) => {
    claims[each === broken ? 'broken' : 'other'] += 1
    if (each === broken) throw new Error('this one fails')
  })
  // Its clock stands still, so the second that the broken one waits does not pass.
  const now = Date.now() + 1_000
  startDelivery({ database, clock: () => now })
  await eventually('all others are settled', async () => (await waiting()) === 0)
  expect(claims.other).toBeGreaterThan(1)
  expect(claims.broken).toBe(1)
})

it('an environment whose deliveries take long to claim delays no other', async () => {
  const slow = await createEnvironment(test.database)
  await addBacklogs([slow, environmentId])
  const answered = Promise.withResolvers<void>()
  const claims = { slow: 0, other: 0 }
  const database = beforeClaims(async (each) => {
    claims[each === slow ? 'slow' : 'other'] += 1
    if (each === slow) await answered.promise
  })
  startDelivery({ database, pollMs: 50 })
  cleanUps.push(async () => answered.resolve())
  await eventually('all others are settled', async () => (await waiting()) === 0)
  expect(claims.other).toBeGreaterThan(1)
  expect(claims.slow).toBe(1)
  answered.resolve()
  await eventually('so is the slow one', async () => (await countDeliveries(test.database, slow)) === 0)
})

it('gives back at once what it has claimed and cannot read', async () => {
  const receiver = await inbox()
  const subscription = await addSubscription(test.database, environmentId, receiver.url)
  const ids = await addNotifications(test.database, environmentId, [subscription], 3)
  let reads = 0
  const database = afterStatements('from webhook_notifications', () => {
    reads += 1
    if (reads === 1) throw new Error('this one fails')
  })
  // Its clock stands still: neither the lease ends nor the second that the environment waits.
  const now = Date.now() + 1_000
  startDelivery({ database, clock: () => now })
  await eventually('they wait again', async () => reads === 1 && (await states()).every((state) => state === 0))
  startDelivery({ clock: () => now })
  await eventually('another node sends them', () => receiver.arrivals.length === ids.length)
})

it('holds a bounded number of bytes of claimed bodies, some of each environment, and sends all of them', async () => {
  const answered = Promise.withResolvers<void>()
  const receiver = await inbox(() => answered.promise.then(() => 200))
  const environments = [environmentId]
  while (environments.length < 12) environments.push(await createEnvironment(test.database))
  for (const each of environments) {
    const subscription = await addSubscription(test.database, each, `${receiver.url}/${each}`)
    await addNotifications(test.database, each, [subscription], 8)
  }
  await test.database.query(
    'update webhook_notifications set object = $1::text where environment_id = any($2::int[])',
    [JSON.stringify({ object: 'user', attributes: { text: 'x'.repeat(5_000) } }), environments],
  )
  const delivery = startDelivery({ mostBodyBytes: 20_000, pollMs: 60_000 })
  const reached = () => new Set(receiver.arrivals.map(({ path }) => path)).size
  await eventually('each environment is sending', () => reached() === environments.length)
  // One body of each environment may be beyond the bound.
  const { inFlight, queued } = delivery.stats()
  expect(inFlight + queued).toBeLessThanOrEqual(20_000 / 5_000 + environments.length)
  answered.resolve()
  await eventually('all have arrived', () => receiver.arrivals.length === 8 * environments.length)
})

it('a subscription whose secret cannot be opened holds up no other', async () => {
  const receiver = await inbox()
  const [closed, other] = [
    await addSubscription(test.database, environmentId, receiver.url, 'sealed:1:000000000000:AAAA'),
    await addSubscription(test.database, environmentId, receiver.url),
  ]
  const ids = await addNotifications(test.database, environmentId, [closed, other], 20)
  const error = vi.fn()
  startDelivery({ log: { ...silent, error } })
  await eventually('those of the other are sent', () => receiver.arrivals.length === ids.length)
  await eventually('they are settled', async () => (await waiting()) === ids.length)
  expect(receiver.arrivals.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  expect(error).toHaveBeenCalledWith(
    { err: expect.any(Error), environmentId, subscription: closed },
    expect.stringContaining('secrets of a webhook endpoint'),
  )
})

it('shares the work between nodes without sending anything twice', async () => {
  const shared = Promise.withResolvers<void>()
  const receiver = await inbox(() => shared.promise.then(() => 200))
  const subscriptions = await Promise.all(
    Array.from({ length: 5 }, (_, index) => addSubscription(test.database, environmentId, `${receiver.url}/${index}`)),
  )
  await addNotifications(test.database, environmentId, subscriptions, 100)
  const nodes = [startDelivery(), startDelivery(), startDelivery()]
  await eventually('each node is sending', () => nodes.every((node) => node.stats().inFlight > 0))
  shared.resolve()
  await eventually('all are settled', async () => (await waiting()) === 0)
  expect(receiver.arrivals).toHaveLength(500)
})

it('sends what a dead node had leased, and a node that wakes up late writes no outcome', async () => {
  const later = { status: 503, headers: { 'retry-after': '3600' } }
  const receiver = await inbox(() => (receiver.arrivals.length === 1 ? 'hang' : later))
  const subscription = await addSubscription(test.database, environmentId, receiver.url)
  const begun = Date.now()
  await addNotifications(test.database, environmentId, [subscription], 1, begun)
  const late = startDelivery({ sender: testSender({ totalTimeoutMs: 600_000 }), clock: () => begun })
  await eventually('the first node is sending', () => receiver.arrivals.length === 1)
  expect(await states()).toEqual([SENDING])
  // The lease ends by the clock of the second.
  startDelivery({ pollMs: 50, clock: () => begun + 20_000 })
  const attempts = () =>
    test.database.query('select status from webhook_attempts where environment_id = $1::int', [environmentId])
  await eventually('the second took over', async () => (await attempts()).length === 1)
  receiver.hangUp()
  await eventually('the outcome of the first is refused', () => late.stats().fencedOff === 1)
  expect(await attempts()).toEqual([{ status: 503 }])
  expect(await waiting()).toBe(1)
})

it('releases unfinished deliveries at a stop, for other nodes to send', async () => {
  const receiver = await inbox(() => 'hang')
  const subscription = await addSubscription(test.database, environmentId, receiver.url)
  await addNotifications(test.database, environmentId, [subscription], 20)
  const delivery = startDelivery({ graceMs: 50 })
  await eventually('some are under way', () => receiver.arrivals.length > 0)
  await delivery.stop()
  expect(await states()).toEqual(Array.from({ length: 20 }, () => 0))
})

async function states(): Promise<number[]> {
  const rows = await test.database.query<{ state: number }>(
    'select state from webhook_deliveries where environment_id = $1::int order by state',
    [environmentId],
  )
  return rows.map(({ state }) => state)
}

/** Waits until the delivery has looked for what is due so many times. */
async function polls(times: number): Promise<void> {
  const query = vi.spyOn(test.database, 'query')
  const count = () => query.mock.calls.filter(([text]) => text.includes('clock_timestamp')).length
  await eventually('it has looked', () => count() >= times)
  query.mockRestore()
}

/** Waits until a poll that started after this call has found nothing to send. */
async function nothingMore(delivery: DeliveryLoop): Promise<void> {
  const receiver = await inbox()
  const canary = await createEnvironment(test.database)
  const subscription = await addSubscription(test.database, canary, receiver.url)
  for (let round = 0; round < 2; round += 1) {
    await addNotifications(test.database, canary, [subscription], 1, 0)
    delivery.wake(environmentId)
    delivery.wake(canary)
    await eventually('the canary has been claimed', async () => (await countDeliveries(test.database, canary)) === 0)
  }
}
