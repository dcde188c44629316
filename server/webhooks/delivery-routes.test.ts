import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { addSubscription } from '../../test/support/deliveries.ts'
import { testServices } from '../../test/support/services.ts'
import { deliveryHandlers } from './delivery-routes.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

it('the time of an old secret is counted by the clock of the database, and not by that of the node', async () => {
  const { database } = test
  const environmentId = await createEnvironment(database)
  const id = await addSubscription(database, environmentId, 'https://hook.example/')
  const [account] = await database.query<{ id: number }>(
    'select account_id as id from environments where id = $1::int',
    [environmentId],
  )
  const ofDatabase = Date.parse('2030-01-03T09:00:00.000Z')
  const services = testServices(database, { now: () => ofDatabase })
  const actor = {
    accountId: account?.id ?? 0,
    id: '1',
    name: 'a key',
    kind: 'key',
    address: '',
    requestId: '',
  } as const
  const handlers = deliveryHandlers(services, async () => ({ actor, environment: 'production' }))
  const call = {
    grant: { environmentId },
    params: { webhook_subscription_id: id },
    body: { old_secret_expires_in: 3_600 },
    requestKey: undefined,
  }
  const answer = await handlers.rotateWebhookSecret(call as never)
  expect(JSON.parse(answer as string)).toMatchObject({ old_secret_expires_at: '2030-01-03T10:00:00.000Z' })
})
