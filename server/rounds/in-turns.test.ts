import { expect, it } from 'vitest'
import { inTurns } from './in-turns.ts'

const NEVER = Number.POSITIVE_INFINITY

it('gives every item a step before any has a second one', async () => {
  const steps: string[] = []
  await inTurns(['a', 'b', 'c'], NEVER, async (item) => {
    steps.push(item)
    return steps.filter((each) => each === item).length < 3
  })
  const turns = [0, 3, 6].map((start) => steps.slice(start, start + 3).toSorted())
  expect(turns).toEqual([1, 2, 3].map(() => ['a', 'b', 'c']))
})

it('goes on with the others when one fails, and throws the failure in the end', async () => {
  const steps: string[] = []
  const work = inTurns(['a', 'b'], NEVER, async (item) => {
    steps.push(item)
    if (item === 'a') throw new Error('a failed')
    return steps.filter((each) => each === item).length < 3
  })
  await expect(work).rejects.toThrow('a failed')
  expect(steps.toSorted()).toEqual(['a', 'b', 'b', 'b'])
})

it('begins no step when its time is over', async () => {
  let steps = 0
  await inTurns(['a', 'b'], performance.now(), async () => {
    steps += 1
    return true
  })
  expect(steps).toBe(0)
})
