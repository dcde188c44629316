import { expect, it } from 'vitest'
import { plotData } from './plot.ts'

const drawn = (values: (number | null)[], kind: 'line' | 'bars' = 'line') =>
  plotData({ kind, times: values.map((_, index) => index), values }).slice(1)

it('the last figure is drawn apart, by a line from the last figure before it', () => {
  expect(drawn([1, 2, 3])).toEqual([
    [1, 2, null],
    [null, 2, 3],
  ])
  // Two days with runs, and days without between them: nothing else connects the two.
  expect(drawn([75, null, null, 80])).toEqual([
    [75, null, null, null],
    [75, null, null, 80],
  ])
  expect(drawn([1, 2, 3], 'bars')).toEqual([
    [1, 2, null],
    [null, null, 3],
  ])
})
