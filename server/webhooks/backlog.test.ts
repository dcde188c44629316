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

it('is counted over all environments with one statement, by the clock of the database', async () => {
  const now = Date.now()
  for (const [index, ageMs] of [3_000, 90_000, 1_000, 20_000, 0].entries()) {
    const environmentId = await createEnvironment(test.database)
    const subscriptionId = await addSubscription(test.database, environmentId, 'https://hook.example/')
    await addNotifications(test.database, environmentId, [subscriptionId], index + 1, now - ageMs)
    await addNotifications(test.database, environmentId, [subscriptionId], 1, now)
  }
  const statements = [vi.spyOn(test.database, 'queryUnprepared'), vi.spyOn(test.database, 'query')]
  const clock = vi.spyOn(Date, 'now').mockReturnValue(now + 86_400_000)
  const { oldestMs, ...counted } = await measureBacklog(test.database)
  clock.mockRestore()
  expect(counted).toEqual({ waiting: 20, isMore: false, downEndpoints: 0, unreachable: [] })
  expect(oldestMs).toBeGreaterThanOrEqual(90_000)
  expect(oldestMs).toBeLessThan(86_400_000)
  expect(statements.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBe(1)
})
