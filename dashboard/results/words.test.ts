import { expect, it } from 'vitest'
import { filterWords, npsOf, npsWords, resultsVerdict } from './words.ts'

const step = (left: number, reason = 'close_button') => ({
  key: 'a',
  title: 'A',
  type: 'dialog',
  reached: 100,
  open: 0,
  left: [{ reason, runs: left }],
})
const results = (seen: number, completed: number, steps: ReturnType<typeof step>[]) =>
  ({ number: 4, seen, completed, steps, missed: null }) as unknown as Parameters<typeof resultsVerdict>[0]

it('the score is promoters less detractors', () => {
  expect(npsOf([3, 1, 4, 6, 9, 17, 21, 52, 79, 94, 112]).score).toBe(36)
  expect(npsOf([])).toEqual({ score: 0, shares: [0, 0, 0] })
})

it('the score has its sign, and says nothing of too few', () => {
  const promoters = (answers: number) => ({ counts: [...Array(10).fill(0), answers], answers })
  expect(npsWords(promoters(30))).toBe('+100')
  expect(npsWords({ counts: [40], answers: 40 })).toBe('−100')
  expect(npsWords(promoters(29))).toBe('–')
})

it('the verdict names the step that most leave at, and says nothing of too few', () => {
  expect(resultsVerdict(results(0, 0, [])).title).toBe('Nobody has seen version 4 yet.')
  expect(resultsVerdict(results(12, 6, [])).title).toBe('Too few to say.')
  expect(resultsVerdict(results(100, 40, [step(10), step(50)])).title).toContain('leave at step 2')
  expect(resultsVerdict(results(100, 40, [step(60, 'target_missing')]))).toMatchObject({ level: 'warn' })
  const missed = { step: 'a', number: 2, missed: 41, tries: 105, since: null }
  expect(resultsVerdict({ ...results(0, 0, []), missed })).toMatchObject({
    level: 'warn',
    sub: expect.stringContaining('The element of step 2 was not found'),
  })
})

it('a list of users says which figure it is behind', () => {
  const of = { ...results(9, 1, [step(1)]), tasks: [{ key: 'invite', name: 'Invite', completed: 1 }], questions: [] }
  expect(filterWords({ of: 'left', step: 'a', reason: 'close_button' }, of)).toBe('Left at step 1: closed it')
  expect(filterWords({ of: 'reached', step: 'invite' }, of)).toBe('Completed “Invite”')
  expect(filterWords({ of: 'answered', question: 'ease', value: '9' }, of)).toBe('Answered “9” to “ease”')
})
