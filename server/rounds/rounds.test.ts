import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Rounds } from './rounds.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Rounds that the test lets end. */
function begin() {
  const ends: (() => void)[] = []
  const rounds = new Rounds(1_000, () => new Promise<void>((resolve) => ends.push(resolve)))
  return { rounds, ends }
}

it('begins a round in each interval, and none while one is under way', async () => {
  const { rounds, ends } = begin()
  rounds.start()
  expect(ends).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(ends).toHaveLength(1)
  ends[0]?.()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(ends).toHaveLength(2)
})

it('begins a round at once when it is woken, and not before its start or after its stop', async () => {
  const { rounds, ends } = begin()
  rounds.wake()
  expect(ends).toHaveLength(0)
  rounds.start()
  rounds.wake()
  rounds.wake()
  expect(ends).toHaveLength(1)
  ends[0]?.()
  await rounds.stop()
  rounds.wake()
  await vi.advanceTimersByTimeAsync(3_000)
  expect(ends).toHaveLength(1)
})

it('a stop tells the round that is under way, and waits for it', async () => {
  const { rounds, ends } = begin()
  rounds.start()
  rounds.wake()
  const stopped = vi.fn()
  const stopping = rounds.stop().then(stopped)
  await vi.advanceTimersByTimeAsync(3_000)
  expect([rounds.signal.aborted, stopped.mock.calls.length]).toEqual([true, 0])
  ends[0]?.()
  await stopping
  expect(stopped).toHaveBeenCalledOnce()
})
