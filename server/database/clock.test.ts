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

it('does not move while the answer allows the time that it shows', async () => {
  const { times, db } = clocks()
  const clock = new DatabaseClock()
  times.roundTrip = 400
  await clock.read(db)
  expect(clock.now()).toBe(START_MS + 400)
})
