import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ticksTo, topOf } from './ticks.ts'

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
