import { expect, it } from 'vitest'
import { THIN_SPACE } from '../format/number.ts'
import { missedRow, missedWords } from './missed-words.ts'

const missed = { number: 4, missed: 41, tries: 105, since: null }

it('names the step whose element is missing, since when, or for which share', () => {
  expect(missedRow(missed)).toBe(`step 4 finds its element in 61.0${THIN_SPACE}% of tries`)
  expect(missedWords(missed)).toBe(
    `The element of step 4 was not found in 39.0${THIN_SPACE}% of 105 tries of the last day.`,
  )
  const ofLauncher = { ...missed, number: 0 }
  expect(missedRow(ofLauncher)).toBe(`finds its element in 61.0${THIN_SPACE}% of tries`)
  expect(missedWords(ofLauncher)).toMatch(/^Its element was not found in /)
  const gone = { ...missed, since: '2026-11-12T09:40:00Z' }
  expect(missedRow(gone)).toBe('step 4 finds no element')
  expect(missedWords(gone)).toMatch(
    /^The element of step 4 has been missing since .*12.*:40: 41 tries of the last day failed\.$/,
  )
})
