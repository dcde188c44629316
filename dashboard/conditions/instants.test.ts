import { expect, it } from 'vitest'
import { fieldOf, instantIn, instantWords } from './instants.ts'

it.each([
  ['2026-01-03T09:30:00Z', '2026-01-03 09:30 UTC', '2026-01-03T09:30'],
  ['2026-01-03T09:30:00+02:00', '2026-01-03 07:30 UTC', '2026-01-03T07:30'],
  ['2026-01-03T23:30:00-05:00', '2026-01-04 04:30 UTC', '2026-01-04T04:30'],
  ['2026-01-03', '2026-01-03 00:00 UTC', '2026-01-03T00:00'],
  ['', '…', ''],
])('the instant %j of a file is shown and typed in UTC', (instant, words, field) => {
  expect([instantWords(instant), fieldOf(instant)]).toEqual([words, field])
})

it('an instant that was only looked at stays as it was written', () => {
  const written = '2026-01-03T09:30:15+02:00'
  expect(instantIn(fieldOf(written), written)).toBe(written)
  expect(instantIn('2026-01-03T08:00', written)).toBe('2026-01-03T08:00:00Z')
})
