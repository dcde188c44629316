import { expect, it } from 'vitest'
import { placeMarks } from './chart-marks.ts'

const DAY = 86_400_000
const at = (day: number) => new Date(day * DAY).toISOString()

it('a mark within the times of a chart has its place and its words, one outside is left out', () => {
  const marks = [3, 5, 11].map((day) => ({ at: at(day), label: `Version ${day} went live` }))
  expect(placeMarks(marks.slice(0, 1), 0, 10 * DAY)).toEqual([
    { label: 'Version 3 went live', left: 30, isNamed: true, isFlipped: false },
  ])
  expect(placeMarks(marks, 4 * DAY, 10 * DAY).map(({ label }) => label)).toEqual(['Version 5 went live'])
})

it('of marks that are near to each other the main one has words, and the newest of the others', () => {
  const marks = [
    { at: at(3), label: '3', isMain: true },
    { at: at(4), label: '4' },
    { at: at(7), label: '7' },
  ]
  expect(placeMarks(marks, 0, 10 * DAY).map(({ label, isNamed }) => [label, isNamed])).toEqual([
    ['3', true],
    ['7', true],
    ['4', false],
  ])
  expect(placeMarks([{ at: at(9), label: '9' }], 0, 10 * DAY)[0]).toMatchObject({ isNamed: true, isFlipped: true })
})
