import { expect, it } from 'vitest'
import { EndpointState } from './endpoint.ts'
import { RetryPullForward } from './pull-forward.ts'
import { RETRYING, WAITING } from './states.ts'

const healthy = () => {
  const endpoint = new EndpointState('s', 0)
  for (let count = 0; count < 100; count += 1) endpoint.onSuccess(10, 0)
  return endpoint
}

it('raises its limit with every success, up to 32, and halves it with every failure', () => {
  const endpoint = healthy()
  expect(endpoint.limit).toBe(32)
  endpoint.onFailure(0)
  expect(endpoint.limit).toBe(16)
  endpoint.onSuccess(10, 0)
  expect(endpoint.limit).toBe(17)
})

it('allows a single probe while it fails, after a pause, and starts slowly when that succeeds', () => {
  const endpoint = healthy()
  endpoint.dueStates.add(WAITING)
  for (let count = 0; count < 3; count += 1) endpoint.onFailure(0)
  expect(endpoint.quotas(0, 500)).toEqual([])
  expect(endpoint.nextChangeMs(0)).toBe(250)
  expect(endpoint.quotas(250, 500).map(({ count }) => count)).toEqual([1])
  for (let count = 0; count < 20; count += 1) endpoint.onFailure(1_000)
  expect(endpoint.nextChangeMs(1_000)).toBe(5_000)
  endpoint.onSuccess(10, 6_000)
  expect(endpoint.limit).toBe(2)
})

it('alternates between first attempts and retries while there is one probe', () => {
  const endpoint = healthy()
  endpoint.dueStates.add(WAITING).add(RETRYING)
  for (let count = 0; count < 3; count += 1) endpoint.onFailure(0)
  const states = [1, 2, 3, 4].map(() => endpoint.quotas(250, 500)[0]?.state)
  expect(states).toEqual([WAITING, RETRYING, WAITING, RETRYING])
})

it('claims nothing in advance for a slow receiver, and little when the bodies are large', () => {
  const slow = new EndpointState('s', 0)
  slow.dueStates.add(WAITING)
  expect(slow.quotas(0, 500)[0]?.count).toBe(4)
  const quick = healthy()
  quick.dueStates.add(WAITING)
  expect(quick.quotas(0, 500)[0]?.count).toBeGreaterThan(100)
  for (let count = 0; count < 50; count += 1) quick.enqueue({ body: Buffer.alloc(1024 * 1024) } as never)
  quick.queue.length = 0
  expect(quick.quotas(0, 500)[0]?.count).toBeLessThan(20)
})

it('pulls retries forward at once after an outage, but not after every success when a few are always refused', () => {
  const pullForward = new RetryPullForward()
  let times = 0
  for (let second = 0; second < 3_600; second += 1) {
    pullForward.start(second * 1000)
    const attemptedBeforeMs = pullForward.attemptedBeforeMs(second * 1000)
    if (second === 0) expect(attemptedBeforeMs).toBe(0)
    if (attemptedBeforeMs === undefined) continue
    times += 1
    pullForward.finish(attemptedBeforeMs)
  }
  expect(times).toBeLessThan(12)
  pullForward.start(100_000_000)
  expect(pullForward.attemptedBeforeMs(100_000_000)).toBe(100_000_000)
})
