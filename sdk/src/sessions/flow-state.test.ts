import { expect, it } from 'vitest'
import type { RenderedAdvance, RenderedStep } from '../../../contract/content/rendered.ts'
import { flow, step } from '../../../test/support/rendered.ts'
import { nextWay, wayOfActions, wayOfAdvances } from './flow-state.ts'

const a = step('a')
const b = step('b')
const c = step('c')
const tour = flow([a, b, c])
const key = (way: ReturnType<typeof wayOfActions>) => way && ('to' in way ? way.to.key : way.end)

it.each([
  [[{ next: true }], 'b'],
  [[{ track: 'x' }, { go_to: 'c' }], 'c'],
  [[{ end: 'dismissed' }], 'dismissed'],
  [[{ previous: true }], 'c'],
  [[{ track: 'x' }], null],
  [[{ go_to: 'gone' }], null],
] as const)('%j leads to %s', (actions, to) => {
  expect(key(wayOfActions(tour, a, ['b', 'c'], actions as never))).toBe(to)
})

it('the next of the last step completes', () => {
  expect(nextWay(tour, c)).toEqual({ end: 'completed' })
})

const on = (advance: object): RenderedAdvance => ({ to: null, end: null, ...advance }) as RenderedAdvance
const url = { url: '/x' }
const ways = (given: Partial<RenderedStep>, happened: ('target_click' | 'target_input')[], holds: boolean) =>
  key(wayOfAdvances(tour, { ...a, ...given }, new Set(happened), () => holds))

it('the first advance that holds counts', () => {
  const advance = [
    on({ on: 'target_click', to: 'c' }),
    on({ on: 'condition', condition: url, end: 'completed' }),
    on({ on: 'target_input', to: 'b' }),
  ]
  expect(ways({ advance }, ['target_input'], false)).toBe('b')
  expect(ways({ advance }, ['target_input'], true)).toBe('completed')
  expect(ways({ advance }, ['target_click'], true)).toBe('c')
  expect(ways({ advance }, [], false)).toBe(null)
})

it('a hidden step takes none of its ways before what it waits for', () => {
  const advance = [on({ on: 'otherwise', to: 'c' })]
  expect(ways({ type: 'hidden', wait_until: url, advance }, [], false)).toBe(null)
  expect(ways({ type: 'hidden', wait_until: url, advance }, [], true)).toBe('c')
})
