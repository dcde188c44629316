import { expect, it } from 'vitest'
import { Latencies } from './latencies.ts'

it('tells percentiles within 5 %, and none without a latency', () => {
  const latencies = new Latencies()
  expect(latencies.percentile(0.99)).toBe(0)
  for (let ms = 1; ms <= 1_000; ms += 1) latencies.add(ms)
  for (const share of [0.01, 0.5, 0.99]) {
    const ratio = latencies.percentile(share) / (share * 1_000)
    expect(ratio).toBeGreaterThanOrEqual(0.999)
    expect(ratio).toBeLessThan(1.051)
  }
  latencies.reset()
  expect(latencies.count).toBe(0)
})
