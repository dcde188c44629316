import { expect, it } from 'vitest'
import { missedOf } from './missed-targets.ts'
import { targetName } from './target-names.ts'

const counted = (step: string, found: number | null, count: number, version = 'v1') => ({
  name: targetName(version, step, found),
  count,
})

it('a target of any step is missed when a fifth of its tries did not find it, and no fewer than five', () => {
  const missed = (misses: number, ...found: number[]) =>
    missedOf([counted('later', null, misses), ...found.map((count, place) => counted('later', place, count))]).length
  expect(missed(20, 60, 20)).toBe(1)
  expect(missed(19, 60, 20)).toBe(0)
  expect(missed(4)).toBe(0)
  expect(missed(5)).toBe(1)
})

it('targets are told apart by version and step, and the largest share is first', () => {
  const counts = [
    counted('a step', null, 30),
    counted('a step', 0, 70),
    counted('other', null, 40),
    counted('other', 1, 60),
    counted('a step', null, 50, 'v2'),
    counted('found', 0, 50),
  ]
  expect(missedOf(counts)).toEqual([
    { versionId: 'v2', step: 'a step', missed: 50, tries: 50 },
    { versionId: 'v1', step: 'other', missed: 40, tries: 100 },
    { versionId: 'v1', step: 'a step', missed: 30, tries: 100 },
  ])
})
