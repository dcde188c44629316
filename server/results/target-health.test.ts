import { expect, it } from 'vitest'
import { healthOf } from './target-health.ts'
import { targetName } from './target-names.ts'

const HOUR_MS = 3_600_000
const NOW = Date.parse('2026-11-12T12:00:00Z')
const VERSION = '01900000-0000-7000-8000-000000000001'

const counted = (hoursAgo: number, found: number | null, count: number) => ({
  at: new Date(NOW - hoursAgo * HOUR_MS).toISOString(),
  name: targetName(VERSION, 'open it', found),
  count,
})

it('a target is missing since the hour after it was last found, after 20 tries and an hour', () => {
  const since = (...misses: [number, number][]) =>
    healthOf([counted(9, 0, 50), ...misses.map(([ago, count]) => counted(ago, null, count))], NOW).get('open it')
      ?.missingSince
  expect(since([9, 4])).toBeNull()
  expect(since([3, 19])).toBeNull()
  expect(since([0, 400])).toBeNull()
  expect(since([9, 4], [3, 10], [1, 10])).toBe('2026-11-12T09:00:00.000Z')
})

it('found and missed tries are of their hour, and what is older than a day is not shown', () => {
  const health = healthOf([counted(0, 1, 3), counted(1, null, 2), counted(23, 0, 5), counted(24, 0, 7)], NOW)
  const { hours, byLocator, lastAt } = health.get('open it') ?? {}
  expect(hours?.length).toBe(24)
  expect([hours?.at(0), hours?.at(-2), hours?.at(-1)]).toEqual([
    { found: 5, missing: 0 },
    { found: 0, missing: 2 },
    { found: 3, missing: 0 },
  ])
  expect([...(byLocator ?? [])]).toEqual([
    [1, 3],
    [0, 5],
  ])
  expect(lastAt).toBe('2026-11-12T12:00:00.000Z')
})
