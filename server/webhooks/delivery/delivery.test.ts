import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
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
import type { EnvironmentId } from '../../database/database.ts'
import { Delivery, type DeliveryOptions } from './delivery.ts'

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
})

function startDelivery(options: Partial<DeliveryOptions> = {}): Delivery {
  const delivery = new Delivery({ database: test.database, sender: testSender(), log: silent, graceMs: 0, ...options })
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

it('sends each notification once, signed, and forgets it when it is acknowledged', async () => {
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
