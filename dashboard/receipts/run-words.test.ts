import { expect, it } from 'vitest'
import { runWords } from './run-words.ts'

const at = '2026-11-12T14:00:00Z'

it.each([
  [{ state: 'completed', end_reason: 'button', ended_at: at }, 'completed it'],
  [{ state: 'active', end_reason: null, ended_at: null }, 'is in it'],
  [{ state: 'dismissed', end_reason: 'close_button', ended_at: at }, 'closed it'],
  [{ state: 'ended', end_reason: 'target_missing', ended_at: at }, 'found no element'],
])('a run of the past says how it went, in words: %#', (run, words) => {
  expect(runWords(run)).toBe(words)
})
