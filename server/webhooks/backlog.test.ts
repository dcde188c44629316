import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { addNotifications, addSubscription } from '../../test/support/deliveries.ts'
import { measureBacklog } from './backlog.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(async () => await test.close())

it('is zero when nothing waits', async () => {
  expect(await measureBacklog(test.database)).toEqual({
    waiting: 0,
    isMore: false,
    oldestMs: 0,
    downEndpoints: 0,
    unreachable: [],
  })
})

it('is counted over all environments with one statement', async () => {
  const now = Date.now()
  for (const [index, ageMs] of [3_000, 90_000, 1_000, 20_000, 0].entries()) {
    const environmentId = await createEnvironment(test.database)
    const subscriptionId = await addSubscription(test.database, environmentId, 'https://hook.example/')
    await addNotifications(test.database, environmentId, [subscriptionId], index + 1, now - ageMs)
    await addNotifications(test.database, environmentId, [subscriptionId], 1, now)
  }
  const statements = [vi.spyOn(test.database, 'queryUnprepared'), vi.spyOn(test.database, 'query')]
  expect(await measureBacklog(test.database, now)).toEqual({
    waiting: 20,
    isMore: false,
    oldestMs: 90_000,
    downEndpoints: 0,
    unreachable: [],
  })
  expect(statements.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBe(1)
})
