import { expect, it } from 'vitest'
import { FRESH, RETRY } from './bands.ts'
import { Drain } from './drain.ts'
import { Lane } from './lane.ts'

const healthy = () => {
  const lane = new Lane('s', 0)
  for (let count = 0; count < 100; count += 1) lane.succeeded(10, 0)
  return lane
}

it('bears more at once with every success, up to 32, and half as many with every failure', () => {
  const lane = healthy()
  expect(lane.limit).toBe(32)
  lane.failed(0)
  expect(lane.limit).toBe(16)
  lane.succeeded(10, 0)
  expect(lane.limit).toBe(17)
})

it('asks for a single probe while it fails, after a pause, and starts gently when that succeeds', () => {
  const lane = healthy()
  lane.due.add(FRESH)
  for (let count = 0; count < 3; count += 1) lane.failed(0)
  expect(lane.wishes(0, 500)).toEqual([])
  expect(lane.nextChangeMs(0)).toBe(250)
  expect(lane.wishes(250, 500).map(({ count }) => count)).toEqual([1])
  for (let count = 0; count < 20; count += 1) lane.failed(1_000)
  expect(lane.nextChangeMs(1_000)).toBe(5_000)
  lane.succeeded(10, 6_000)
  expect(lane.limit).toBe(2)
})

it('takes turns between first attempts and retries while there is one probe', () => {
  const lane = healthy()
  lane.due.add(FRESH).add(RETRY)
  for (let count = 0; count < 3; count += 1) lane.failed(0)
  const bands = [1, 2, 3, 4].map(() => lane.wishes(250, 500)[0]?.band)
  expect(bands).toEqual([FRESH, RETRY, FRESH, RETRY])
})

it('claims nothing ahead for a receiver that is slow, and little when the bodies are large', () => {
  const slow = new Lane('s', 0)
  slow.due.add(FRESH)
  expect(slow.wishes(0, 500)[0]?.count).toBe(4)
  const quick = healthy()
  quick.due.add(FRESH)
  expect(quick.wishes(0, 500)[0]?.count).toBeGreaterThan(100)
  for (let count = 0; count < 50; count += 1) quick.enqueue({ body: Buffer.alloc(1024 * 1024) } as never)
  quick.queue.length = 0
  expect(quick.wishes(0, 500)[0]?.count).toBeLessThan(20)
})

it('drains at once after an outage, but not with every success beside a few that are always refused', () => {
  const drain = new Drain()
  let drains = 0
  for (let second = 0; second < 3_600; second += 1) {
    drain.begin(second * 1000)
    const attemptedBefore = drain.attemptedBefore(second * 1000)
    if (second === 0) expect(attemptedBefore).toBe(0)
    if (attemptedBefore === undefined) continue
    drains += 1
    drain.finished(attemptedBefore)
  }
  expect(drains).toBeLessThan(12)
  drain.begin(100_000_000)
  expect(drain.attemptedBefore(100_000_000)).toBe(100_000_000)
})
