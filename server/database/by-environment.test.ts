import { expect, it } from 'vitest'
import { takeLongestWaiting } from './by-environment.ts'
import type { EnvironmentId } from './database.ts'

const counts = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => [(first + index) as EnvironmentId, {}] as const)

it('a flush stores the counts of few environments at once', () => {
  const items = new Map(counts(1, 300))
  expect(takeLongestWaiting(items).size).toBe(300)
  expect(items.size).toBe(0)
})

it('with many environments a flush stores those that have waited longest, and every one in time', () => {
  const items = new Map(counts(1, 1_000))
  const stored: EnvironmentId[] = []
  for (let flush = 0; flush < 4; flush += 1) {
    stored.push(...takeLongestWaiting(items).keys())
    // These write again before the next flush.
    for (const [id, count] of counts(1, 100)) if (!items.has(id)) items.set(id, count)
  }
  expect(new Set(stored)).toEqual(new Set(counts(1, 1_000).map(([id]) => id)))
})

it('no more than 2,000 environments wait for a later flush', () => {
  const items = new Map(counts(1, 9_000))
  expect(takeLongestWaiting(items).size).toBe(7_000)
  expect(items.size).toBe(2_000)
})
