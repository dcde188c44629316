import { expect, it } from 'vitest'
import { MinuteLimits } from './minute-limits.ts'

it('each key has its own minute, which begins with its first use', () => {
  let now = 1_000
  const limits = new MinuteLimits(2, () => now)
  const taken = (key: string) => limits.take(key).allowed
  expect([taken('a'), taken('a'), taken('a'), taken('b')]).toEqual([true, true, false, true])
  expect(limits.take('a')).toEqual({ allowed: false, limit: 2, remaining: 0, resetSeconds: 60 })
  now += 59_000
  expect(limits.take('a')).toMatchObject({ allowed: false, resetSeconds: 1 })
  now += 1_000
  expect(limits.take('a')).toMatchObject({ allowed: true, remaining: 1 })
})

it('forgets keys that were not used for a minute, and all of them rather than grow without end', () => {
  let now = 100_000
  const limits = new MinuteLimits(1, () => now)
  for (let key = 0; key < 1_000; key += 1) limits.take(key)
  now += 120_000
  limits.take('x')
  expect(limits.size).toBe(1)
  for (let key = 0; key < 250_000; key += 1) limits.take(key)
  expect(limits.size).toBeLessThan(200_001)
})
