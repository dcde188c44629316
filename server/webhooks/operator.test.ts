import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { changeMeanwhile } from '../../test/support/change-meanwhile.ts'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import {
  addNotifications,
  addSubscription,
  countDeliveries,
  eventually,
  type Inbox,
  openInbox,
  testSender,
} from '../../test/support/deliveries.ts'
import { silent } from '../../test/support/log.ts'
import type { EnvironmentId } from '../database/database.ts'
import { DeliveryLoop } from './delivery/delivery.ts'
import { replayDeliveries } from './replay.ts'
import { listWaitingAndAttempts, retryDelivery } from './retry.ts'
import { sendTestNotification } from './test-notification.ts'

let test: TestDatabase
let inbox: Inbox
let delivery: DeliveryLoop
let environmentId: EnvironmentId
let subscription: string

beforeAll(async () => {
  test = await createTestDatabase()
  inbox = await openInbox()
  // The poll is too slow for this test: deliveries arrive because of the message.
  delivery = new DeliveryLoop({ database: test.database, sender: testSender(), log: silent, pollMs: 600_000 })
  delivery.start()
  await eventually('it listens', async () => {
    const listening =
      "select from pg_stat_activity where query = 'listen usher_deliveries' and datname = current_database()"
    const rows = await test.database.query(listening, [])
    return rows.length > 0
  })
})
afterAll(async () => {
  await delivery.stop()
  await inbox.close()
  await test.close()
})
beforeEach(async () => {
  environmentId = await createEnvironment(test.database)
  subscription = await addSubscription(test.database, environmentId, inbox.url)
  inbox.arrivals.length = 0
  inbox.answer = () => 200
})

const settled = () =>
  eventually('all is settled', async () => (await countDeliveries(test.database, environmentId)) === 0)

it('sends a test notification to one subscription, through the same code as any other', async () => {
  await addSubscription(test.database, environmentId, `${inbox.url}/other`)
  const id = await sendTestNotification(test.database, environmentId, subscription)
  await settled()
  expect(inbox.arrivals.map((arrival) => JSON.parse(arrival.body))).toEqual([
    expect.objectContaining({ id, object: 'webhook_notification', topic: 'event.tracked.webhook_test' }),
  ])
  const { waiting, attempts } = await listWaitingAndAttempts(test.database, environmentId, {
    subscriptionId: subscription,
  })
  expect(waiting).toEqual([])
  expect(attempts).toMatchObject([{ notification_id: id, status: 200, attempt: 1, failure: null, response: 'seen' }])
  const unknown = await sendTestNotification(test.database, environmentId, id as string)
  expect(unknown).toBeUndefined()
})

it('lists what waits and what was tried, and sends one of them now', async () => {
  inbox.answer = () => 503
  const [id] = (await addNotifications(test.database, environmentId, [subscription], 1)) as [string]
  delivery.wake(environmentId)
  await eventually(
    'it is tried',
    async () => (await listWaitingAndAttempts(test.database, environmentId)).attempts.length === 1,
  )
  const listed = await listWaitingAndAttempts(test.database, environmentId)
  expect(listed.waiting).toMatchObject([
    { notification_id: id, topic: 'user.updated', attempt: 1, state: 'retrying', reason: 'backoff' },
  ])
  expect(listed.attempts[0]?.next_attempt_at).toBe(listed.waiting[0]?.due_at)
  inbox.answer = () => 200
  expect(await retryDelivery(test.database, environmentId, subscription, id)).toBe('due now')
  await settled()
  expect(await retryDelivery(test.database, environmentId, subscription, id)).toBe('sent again')
  await settled()
  expect(inbox.arrivals.map((arrival) => arrival.id)).toEqual([id, id, id])
  expect(await retryDelivery(test.database, environmentId, id, id)).toBe('not found')
})

it('lists a delivery that is finished while it is read among what was tried', async () => {
  const { database } = test
  const [id] = (await addNotifications(database, environmentId, [subscription], 1)) as [string]
  const { waiting, attempts } = await changeMeanwhile(database, {
    before: (text) => text.includes('from webhook_deliveries'),
    change: async () => {
      delivery.wake(environmentId)
      await settled()
    },
    read: () => listWaitingAndAttempts(database, environmentId),
  })
  expect(waiting).toEqual([])
  expect(attempts).toMatchObject([{ notification_id: id, status: 200 }])
})

it('replays a time range to a subscription, counts it first, and doubles nothing that waits', async () => {
  const dayMs = 86_400_000
  const now = Date.now()
  await addNotifications(test.database, environmentId, [], 3, now - 10 * dayMs)
  const wanted = await addNotifications(test.database, environmentId, [], 1_200, now - 5 * dayMs)
  await addNotifications(test.database, environmentId, [], 3, now - dayMs)
  const range = {
    subscriptionId: subscription,
    since: new Date(now - 6 * dayMs),
    until: new Date(now - 4 * dayMs),
  }
  expect(await replayDeliveries(test.database, environmentId, { ...range, dryRun: true })).toEqual({
    matching: 1_200,
    written: 0,
  })
  expect(await countDeliveries(test.database, environmentId)).toBe(0)
  expect(await replayDeliveries(test.database, environmentId, range)).toEqual({ matching: 1_200, written: 1_200 })
  await settled()
  expect(inbox.arrivals.map(({ id }) => id).toSorted()).toEqual(wanted.toSorted())
  await test.database.query("update webhook_subscriptions set topics = '{event}' where environment_id = $1::int", [
    environmentId,
  ])
  expect(await replayDeliveries(test.database, environmentId, range)).toEqual({ matching: 0, written: 0 })
})
