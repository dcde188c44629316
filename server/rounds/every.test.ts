import { afterEach, expect, it, vi } from 'vitest'
import { Every } from './every.ts'

afterEach(() => void vi.restoreAllMocks())

it('is due first, and again after its time, however the clock of the machine is set', () => {
  let monotonic = 5
  vi.spyOn(performance, 'now').mockImplementation(() => monotonic)
  const every = new Every(1_000)
  expect([every.isDue(), every.isDue()]).toEqual([true, false])
  for (const wrong of [7_200_000, -7_200_000]) {
    vi.spyOn(Date, 'now').mockReturnValue(1_700_000_000_000 + wrong)
    expect(every.isDue()).toBe(false)
    monotonic += 1_000
    expect([every.isDue(), every.isDue()]).toEqual([true, false])
  }
})
