import { expect, it } from 'vitest'
import { THIN_SPACE } from '../format/number.ts'
import type { TargetResult } from './queries.ts'
import { foundWords, locatorWords, stateOf } from './words.ts'

const target = (found: number[], missing: number, more: Partial<TargetResult> = {}): TargetResult => ({
  ...{ step: 'a', title: 'A', number: 1, missing, hours: [], missing_since: null, last_at: null },
  locators: found.map((times, index) => ({ locator: index === 0 ? 'testid=nav' : 'text=Timeline', found: times })),
  ...more,
})

it('says how often the element was found, and which locator found it', () => {
  expect(foundWords(target([610, 0], 390))).toBe(`Found in 61.0${THIN_SPACE}% of 1,000 tries.`)
  expect(locatorWords(target([994, 0], 6))).toMatch(/^Stable: .*; the 2nd locator was never needed\.$/)
  expect(locatorWords(target([90, 10], 0))).toContain('needed 10 of 100 times')
})

it('a target that nobody looked for is neither found nor missing', () => {
  expect(stateOf(target([0], 0))).toBe('unknown')
  expect(foundWords(target([0], 0))).toBe('Not looked for yet.')
  expect(stateOf(target([95], 5))).toBe('found')
  expect(stateOf(target([94], 6))).toBe('seldom')
  expect(stateOf(target([5], 30, { missing_since: '2026-11-12T09:00:00Z' }))).toBe('missing')
})
