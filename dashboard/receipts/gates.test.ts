import { expect, it } from 'vitest'
import { gateWords, rungsOf, toldWords } from './gates.ts'

const gate = (name: string, open: boolean | null, more = {}) => ({
  gate: name,
  open,
  code: open === false ? 'already_seen' : null,
  at: null,
  behind: [],
  leaves: [],
  ...more,
})

it('after the first gate that stops, the others say what they would do', () => {
  const gates = [
    gate('published', true),
    gate('frequency', false),
    gate('who', true),
    gate('claim', false),
    gate('where', null),
  ]
  expect(rungsOf(gates).map(({ standing }) => standing)).toEqual(['lets', 'stops', 'would', 'would_stop', 'browser'])
})

it('what is to come is said as something that comes, and of a draft as something that would', () => {
  expect(toldWords('Shown')).toBe('Will be shown on their next page')
  expect(toldWords('Shown after “First” where the address fits /projects/*')).toBe(
    'Will be shown after “First” where the address fits /projects/*',
  )
  expect(toldWords('Shown', 'Would be')).toBe('Would be shown on their next page')
  expect(toldWords('Not shown: seats is 3')).toBe('Not shown: seats is 3')
})

it('says how many lines do not hold', () => {
  const leaf = (met: boolean) => ({ path: '', met, value: null, needed: '', sentence: '' })
  expect(gateWords(gate('who', false, { leaves: [leaf(true), leaf(false)] }))).toBe('1 of 2 lines does not hold')
  expect(gateWords(gate('who', true, { leaves: [leaf(true), leaf(true)] }))).toBe('all 2 lines hold')
  expect(gateWords(gate('who', true, { leaves: [leaf(true), leaf(false)] }))).toBe(
    '1 of 2 lines holds, which is enough',
  )
  expect(gateWords(gate('order', true, { behind: ['tour'] }))).toBe('after tour')
})
