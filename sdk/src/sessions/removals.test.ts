import { expect, it } from 'vitest'
import { Removals } from './removals.ts'

it('what a page removes again and again comes back at once four times, then after 1, 2, 4 … and at most 60 seconds', () => {
  let now = 0
  const removals = new Removals(() => now)
  const pauses: number[] = []
  for (let draw = 0; draw < 12; draw++) {
    now += 10
    const goneAt = now
    while (!removals.mayReturn()) now += 500
    pauses.push((now - goneAt) / 1000)
  }
  expect(pauses).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60])
})

it('what has stayed for more than ten seconds comes back at once', () => {
  let now = 0
  const removals = new Removals(() => now)
  for (let draw = 0; draw < 6; draw++) while (!removals.mayReturn()) now += 500
  expect(removals.mayReturn()).toBe(false)
  while (!removals.mayReturn()) now += 500
  now += 10_001
  expect(removals.mayReturn()).toBe(true)
})
