import { afterAll, beforeEach, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { retentionTime } from './retention-clock.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const START = Date.parse('2026-03-10T12:00:00Z')

const test: TestDatabase = await createTestDatabase()
let now = START
beforeEach(async () => {
  now = START
  await test.database.query('delete from retention_clock', [])
  await look()
})
afterAll(() => test.close())

const look = () => retentionTime(test.database, () => now)
const days = async () => ((await look()) - START) / DAY_MS

/** As a server that runs, which looks every few minutes. */
async function pass(hours: number): Promise<void> {
  for (let minutes = 0; minutes < hours * 60; minutes += 20) {
    now += 20 * 60_000
    await look()
  }
}

it('is the clock of the database, while that runs', async () => {
  await pass(50)
  expect(await look()).toBe(now)
  await test.database.query('delete from retention_clock', [])
  const time = await retentionTime(test.database)
  expect(Math.abs(time - (await retentionTime(test.database)))).toBeLessThan(DAY_MS)
})

it('stays where it was when the clock jumps a month ahead for some time, and goes on when it is back', async () => {
  now += 31 * DAY_MS
  expect(await days()).toBe(0)
  await pass(1)
  expect(await days()).toBeLessThanOrEqual(1)
  now = START + 3 * HOUR_MS
  expect(await look()).toBe(now)
  await pass(5)
  expect(await look()).toBe(now)
})

it('follows a clock that stays ahead by a day an hour, with any number of nodes', async () => {
  now += 31 * DAY_MS
  await pass(10)
  expect(await days()).toBeGreaterThan(5)
  expect(await days()).toBeLessThanOrEqual(10)
  const before = await look()
  await Promise.all(Array.from({ length: 10 }, look))
  expect(await look()).toBe(before)
  await pass(40)
  expect(await look()).toBe(now)
})
