import { expect, it } from 'vitest'
import { gateWords, rungsOf } from './gates.ts'

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

it('says how many lines do not hold', () => {
  const leaf = (met: boolean) => ({ path: '', met, value: null, needed: '', sentence: '' })
  expect(gateWords(gate('who', false, { leaves: [leaf(true), leaf(false)] }))).toBe('1 of 2 lines does not hold')
  expect(gateWords(gate('who', true, { leaves: [leaf(true), leaf(true)] }))).toBe('all 2 lines hold')
  expect(gateWords(gate('who', true, { leaves: [leaf(true), leaf(false)] }))).toBe(
    '1 of 2 lines holds, which is enough',
  )
  expect(gateWords(gate('order', true, { behind: ['tour'] }))).toBe('after tour')
})
