import { afterAll, beforeAll, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { fanOut } from '../../test/support/fan-out.ts'
import { indexWalks } from './delivery/planner.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await createTestDatabase(indexWalks)
})
afterAll(() => test.close())

it('notifies each of 60 subscriptions of exactly those of 20 events that match its topics, once each', async () => {
  await fanOut(test, 60)
})
