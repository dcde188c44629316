import { expect, it } from 'vitest'
import { completedSeries, overTimeWords } from './over-time.ts'

const days = [
  { day: '2026-11-12', seen: 4, completed: 1 },
  { day: '2026-11-14', seen: 2, completed: 2 },
]

it('the line goes on to today, and a day without runs has no value', () => {
  const series = completedSeries(days, new Date('2026-11-15T10:00:00Z'))
  expect(series).toEqual({ from: '2026-11-12T00:00:00.000Z', step_seconds: 86_400, values: [25, null, 100, null] })
  expect(completedSeries([], new Date()).values).toEqual([])
})

it('its words name the first day and the last one with runs', () => {
  expect(overTimeWords(days, (at) => at.slice(0, 10))).toBe(
    'Completed runs of each day in per cent: 25 on 2026-11-12, 100 on 2026-11-14.',
  )
})
