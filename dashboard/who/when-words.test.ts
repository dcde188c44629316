import { expect, it } from 'vitest'
import { frequencyChange, hiddenWords, hours, typedNumber, whenWords } from './when-words.ts'

it('says whether content that was hidden comes back', () => {
  expect(hiddenWords('once')).toBe('Whoever hides it does not see it again: it is shown once.')
  expect(hiddenWords({ every: '7d' })).toBe('Whoever hides it may see it again: it is shown every 7 days.')
})

it('says when in words, the quiet period only where it counts', () => {
  const flow = { key: 'a', name: 'A', type: 'flow', steps: [], when: { wait: '2s', at_most: 3 } } as const
  expect(whenWords(flow as never, 86_400)).toBe(
    ', at most 3 times, 2 seconds after the page is there, and at least 24 hours after any other flow',
  )
  expect(whenWords({ ...flow, when: { exempt_from_quiet: true } } as never, 86_400)).toBe('')
  expect(whenWords({ ...flow, type: 'banner', when: {} } as never, 86_400)).toBe('')
})

it('tells hours from minutes', () => {
  expect([hours(3600), hours(7200), hours(1800)]).toEqual(['1 hour', '2 hours', '30 minutes'])
})

it('leaves no number of times behind where it has no field', () => {
  const before = { frequency: 'until_completed', at_most: 3 }
  expect({ ...before, ...frequencyChange('always') }).toEqual({ frequency: 'always', at_most: undefined })
  expect({ ...before, ...frequencyChange('once') }).toEqual({ frequency: 'once', at_most: undefined })
  expect({ ...before, ...frequencyChange('every') }).toEqual({ frequency: { every: '30d' }, at_most: 3 })
})

it('takes a number beyond the most for the most, and not for its first digits', () => {
  expect([typedNumber('500', 100), typedNumber('7', 100), typedNumber('', 100)]).toEqual([100, 7, undefined])
})
