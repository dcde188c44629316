import { expect, it } from 'vitest'
import type { DecidedContent } from '../../../contract/content/rendered.ts'
import { target } from '../../../test/support/rendered.ts'
import { Candidates } from './candidates.ts'

const page = { time: 0, where: true, element: true }
const asked = {
  now: () => page.time,
  holds: () => page.where,
  find: () => (page.element ? { element: {} as Element, locator: 'x' } : { element: null, matches: 0 }),
}
const content = (given: Partial<DecidedContent>): DecidedContent =>
  ({ id: 'c', version_id: 'v', where: { url: '/' }, wait_ms: 0, target: null, ...given }) as DecidedContent
const set = (next: Partial<typeof page>) => Object.assign(page, next)

it('wait means: everything holds for that long without a break', () => {
  const candidates = new Candidates()
  const one = content({ wait_ms: 2_000 })
  set({ time: 0, where: true, element: true })
  expect(candidates.isReady(one, asked, false)).toBe(false)
  set({ time: 1_900, where: false })
  expect(candidates.isReady(one, asked, false)).toBe(false)
  set({ time: 2_000, where: true })
  expect(candidates.isReady(one, asked, false)).toBe(false)
  set({ time: 4_000 })
  expect(candidates.isReady(one, asked, false)).toBe(true)
})

it('what is not offered, or runs, waits anew when it is offered again, and what stays offered goes on waiting', () => {
  const candidates = new Candidates()
  const one = content({ wait_ms: 2_000 })
  const isReady = (time: number, isRunning = false) => {
    set({ time, where: true, element: true })
    return candidates.isReady(one, asked, isRunning)
  }
  expect([isReady(0), isReady(1_900)]).toEqual([false, false])
  candidates.keep([one])
  expect(isReady(2_000)).toBe(true)
  candidates.keep([])
  candidates.keep([one])
  expect([isReady(2_100), isReady(4_000), isReady(4_100)]).toEqual([false, false, true])
  expect([isReady(4_200, true), isReady(4_300), isReady(6_200), isReady(6_300)]).toEqual([false, false, false, true])
})

it.each([
  ['wait', false],
  ['end', false],
  ['skip', true],
  ['center', true],
] as const)('a first target that stays away with on_missing %s: ready is %s', (on_missing, isReady) => {
  const candidates = new Candidates()
  const one = content({ target: target('a', { on_missing }) })
  set({ time: 0, where: true, element: false })
  expect(candidates.isReady(one, asked, false)).toBe(false)
  set({ time: 8_000 })
  expect(candidates.isReady(one, asked, false)).toBe(isReady)
})
