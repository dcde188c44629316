import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ticksAmong, ticksTo, topOf } from './ticks.ts'

describe('the ticks of an axis', () => {
  it.each([
    [0, [0, 1]],
    [3, [0, 1, 2, 3]],
    [1702, [0, 600, 1200, 1800]],
    [1_636_000, [0, 600_000, 1_200_000, 1_800_000]],
  ])('for the highest value %d', (highest, ticks) => {
    expect(ticksTo(highest)).toEqual(ticks)
  })

  it('has at most five labels, and nothing above the top', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), (highest) => {
        expect(ticksTo(highest).length).toBeLessThanOrEqual(5)
        expect(topOf(highest)).toBeGreaterThanOrEqual(highest)
      }),
    )
  })
})

it('days have labels at themselves, the last one always, and no more of them than fit', () => {
  expect(ticksAmong([1, 2, 3], 6)).toEqual([1, 2, 3])
  expect(ticksAmong([1, 2, 3, 4, 5, 6, 7], 3)).toEqual([1, 4, 7])
  expect(ticksAmong([1, 2, 3, 4], 0)).toEqual([4])
  expect(ticksAmong([], 3)).toEqual([])
})
