import { afterEach, expect, it, vi } from 'vitest'
import { DatabaseClock } from './clock.ts'

const HOUR_MS = 3_600_000
const START_MS = Date.parse('2026-03-01T12:00:00Z')

afterEach(() => void vi.restoreAllMocks())

/** The clocks of the process and of the database, each in the hand of the test. */
function clocks() {
  const times = { monotonic: 1_000, machine: START_MS, database: START_MS, roundTrip: 0 }
  vi.spyOn(performance, 'now').mockImplementation(() => times.monotonic)
  vi.spyOn(Date, 'now').mockImplementation(() => times.machine)
  const pass = (ms: number) => {
    times.monotonic += ms
    times.machine += ms
    times.database += ms
  }
  const query = async () => {
    pass(times.roundTrip)
    return [{ ms: times.database - times.roundTrip / 2 }] as never
  }
  return { times, pass, db: { query } }
}

it.each([2 * HOUR_MS, -2 * HOUR_MS])(
  'shows the time of the database when the clock of the machine moves by %i',
  async (moved) => {
    const { times, pass, db } = clocks()
    const clock = new DatabaseClock()
    expect(await clock.read(db)).toEqual({ setMs: 0, aheadMs: 0 })
    times.machine += moved
    pass(5_000)
    expect(clock.now()).toBe(START_MS + 5_000)
    expect(await clock.read(db)).toEqual({ setMs: 0, aheadMs: moved })
    expect(clock.now()).toBe(START_MS + 5_000)
  },
)

it.each([2 * HOUR_MS, -2 * HOUR_MS])('follows a database whose clock is set by %i, and says so once', async (moved) => {
  const { times, pass, db } = clocks()
  const clock = new DatabaseClock()
  await clock.read(db)
  times.database += moved
  pass(5_000)
  expect((await clock.read(db)).setMs).toBe(moved)
  expect(clock.now()).toBe(START_MS + 5_000 + moved)
  pass(5_000)
  expect((await clock.read(db)).setMs).toBe(0)
})

it('stands still, and does not go back, when it was ahead of the database by less than a clock that is set', async () => {
  const { times, pass, db } = clocks()
  const clock = new DatabaseClock()
  await clock.read(db)
  pass(5_000)
  expect(clock.now()).toBe(START_MS + 5_000)
  times.database -= 700
  await clock.read(db)
  expect(clock.now()).toBe(START_MS + 5_000)
  pass(699)
  expect(clock.now()).toBe(START_MS + 5_000)
  pass(2)
  expect(clock.now()).toBe(START_MS + 5_001)
})

it('doubts a clock that was set forward for a day, and not once it is set back', async () => {
  const { times, pass, db } = clocks()
  const clock = new DatabaseClock()
  const read = async () => {
    await clock.read(db)
    return clock.doubtedMs
  }
  const set = (ms: number) => {
    times.database += ms
    pass(5_000)
    return read()
  }
  expect(await read()).toBe(0)
  expect([await set(2 * HOUR_MS), await set(HOUR_MS), await set(-2 * HOUR_MS)]).toEqual([2, 3, 1].map(hours))
  expect([await set(-9 * HOUR_MS), await set(4 * HOUR_MS)]).toEqual([0, 4].map(hours))
  pass(23 * HOUR_MS)
  expect(await read()).toBe(hours(4))
  pass(HOUR_MS)
  expect(await read()).toBe(0)
})

it('doubts a clock that is ahead of this machine when it is first read', async () => {
  const { times, db } = clocks()
  times.database += 2 * HOUR_MS
  const clock = new DatabaseClock()
  await clock.read(db)
  expect(clock.doubtedMs).toBe(hours(2))
})

const hours = (count: number) => count * HOUR_MS

it('does not move while the answer allows the time that it shows', async () => {
  const { times, db } = clocks()
  const clock = new DatabaseClock()
  times.roundTrip = 400
  await clock.read(db)
  expect(clock.now()).toBe(START_MS + 400)
})
