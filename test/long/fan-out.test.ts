import { afterAll, beforeAll, it } from 'vitest'
import { indexWalks } from '../../server/webhooks/delivery/planner.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { fanOut } from '../support/fan-out.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await createTestDatabase(indexWalks)
})
afterAll(() => test.close())

it('notifies each of 1,000 subscriptions of exactly those of 20 events that match its topics, once each', async () => {
  await fanOut(test, 1_000)
}, 150_000)
