import fc from 'fast-check'
import { expect, it } from 'vitest'
import { WINDOW_MS } from '../../outbox/window.ts'
import { nextAttempt } from './schedule.ts'

const HOUR_MS = 3_600_000
const random = fc.double({ min: 0, max: 1, noNaN: true })

/** All attempts of a delivery that never succeeds, as milliseconds since its notification. */
function attemptsOf(jitters: readonly number[], retryAfterSeconds?: number): number[] {
  const times = [0]
  for (const jitter of jitters) {
    const nowMs = times.at(-1) as number
    const next = nextAttempt({
      attempt: times.length,
      nowMs,
      expiresAtMs: WINDOW_MS,
      retryAfterSeconds,
      random: jitter,
    })
    if (next === undefined) return times
    times.push(next)
  }
  throw new Error('it never ends')
}

const jitters = fc.array(random, { minLength: 200, maxLength: 200 })

it('waits 5 s × 3ⁿ, at most 12 h, 20 % more or less, and ends within 72 h', () => {
  fc.assert(
    fc.property(jitters, (chances) => {
      const times = attemptsOf(chances)
      const intervals = times.slice(1).map((time, index) => time - (times[index] as number))
      for (const [n, interval] of intervals.entries()) {
        const planned = Math.min(5_000 * 3 ** n, 12 * HOUR_MS)
        expect(interval).toBeLessThanOrEqual(Math.min(planned * 1.2 + 1, 12 * HOUR_MS))
        if (n < intervals.length - 1) expect(interval).toBeGreaterThanOrEqual(planned * 0.8 - 1)
      }
      expect(times.at(-1)).toBeLessThanOrEqual(WINDOW_MS)
      expect(times.at(-1)).toBeGreaterThan(WINDOW_MS - HOUR_MS)
      expect(times.length).toBeGreaterThan(13)
    }),
  )
})

it('makes the attempts of the guide without jitter', () => {
  const seconds = attemptsOf(Array.from({ length: 50 }, () => 0.5)).map((time) => time / 1000)
  expect(seconds.slice(0, 10)).toEqual([0, 5, 20, 65, 200, 605, 1820, 5465, 16_400, 49_205])
})

it('never tries before Retry-After, except the last attempt of the window', () => {
  fc.assert(
    fc.property(jitters, fc.integer({ min: 1, max: 999_999_999 }), (chances, seconds) => {
      const times = attemptsOf(chances, Math.max(seconds, 3600))
      for (const [index, time] of times.slice(1, -1).entries()) {
        expect(time - (times[index] as number)).toBeGreaterThanOrEqual(Math.min(seconds, 3600) * 1000)
      }
      expect(times.at(-1)).toBeLessThanOrEqual(WINDOW_MS)
    }),
  )
})

it('ends 72 hours after the notification', () => {
  expect(nextAttempt({ attempt: 14, nowMs: WINDOW_MS, expiresAtMs: WINDOW_MS, random: 0.5 })).toBeUndefined()
})
