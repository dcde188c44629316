import { expect, it, onTestFinished, vi } from 'vitest'
import { Lease, monotonicNow, type Renewal } from './lease.ts'

function leased(renewals: (Renewal | Promise<Renewal>)[]) {
  const clock = { now: 0 }
  const over = vi.fn()
  const renew = vi.fn(async () => await (renewals.shift() ?? 'failed'))
  return { clock, over, renew, lease: new Lease(0, renew, over, () => clock.now) }
}

const at = async ({ clock, lease }: ReturnType<typeof leased>, seconds: number, isVisible = true) => {
  clock.now = seconds * 1000
  lease.tick(isVisible)
  await new Promise((resolve) => setTimeout(resolve))
}

it('is renewed every 20 s by a visible page, and lasts', async () => {
  const one = leased(['renewed', 'renewed', 'renewed', 'renewed'])
  for (let second = 1; second <= 80; second++) await at(one, second)
  expect(one.renew).toHaveBeenCalledTimes(4)
  expect(one.over).not.toHaveBeenCalled()
})

it('is over 50 s after the last renewal was sent, not answered', async () => {
  let answer: (renewal: Renewal) => void = () => {}
  const one = leased([new Promise<Renewal>((resolve) => (answer = resolve))])
  await at(one, 20)
  answer('renewed')
  await at(one, 45)
  await at(one, 69)
  expect(one.over).not.toHaveBeenCalled()
  await at(one, 70)
  expect(one.over).toHaveBeenCalledTimes(1)
})

it('is over at once when another browser holds it', async () => {
  const one = leased(['lost'])
  await at(one, 20)
  expect(one.over).toHaveBeenCalledTimes(1)
})

it('is not renewed by a hidden page, and is over when that comes back after 50 s', async () => {
  const one = leased(['renewed'])
  await at(one, 30, false)
  expect(one.renew).not.toHaveBeenCalled()
  await at(one, 51)
  expect(one.over).toHaveBeenCalledTimes(1)
  expect(one.renew).not.toHaveBeenCalled()
})

it('goes by a clock that counts sleep, and neither goes back nor stands still when the clock on the wall is set', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const setWall = (hours: number) => vi.setSystemTime(Date.now() + hours * 3_600_000)
  // The clocks of the test begin apart from the real ones: by less than counts as a jump, or by more.
  setWall(1)
  const begun = monotonicNow()
  const seconds = () => Math.round((monotonicNow() - begun) / 1000)
  vi.advanceTimersByTime(10_000)
  expect(seconds()).toBe(10)
  // The computer wakes with a wrong clock, which counts as sleep, and is corrected.
  setWall(2)
  expect(seconds()).toBe(7_210)
  setWall(-2)
  expect(seconds()).toBe(7_210)
  vi.advanceTimersByTime(50_000)
  expect(seconds()).toBe(7_260)
  setWall(-1)
  vi.advanceTimersByTime(50_000)
  expect(seconds()).toBe(7_310)
})
