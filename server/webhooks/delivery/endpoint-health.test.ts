import { expect, it } from 'vitest'
import { type AttemptResult, HEALTHY, healthAfter } from './endpoint-health.ts'

const START = Date.parse('2026-01-03T09:00:00.000Z')

function failures(count: number, gapMs: number): AttemptResult[] {
  return Array.from({ length: count }, (_, index) => ({ ok: false, at: new Date(START + index * gapMs).toISOString() }))
}

it('is down after 20 failures over an hour', () => {
  const hourly = 3_600_000 / 19
  expect(healthAfter(HEALTHY, failures(20, hourly)).isDown).toBe(true)
  expect(healthAfter(HEALTHY, failures(19, hourly * 2)).isDown).toBe(false)
  expect(healthAfter(HEALTHY, failures(2_000, 1_000)).isDown).toBe(false)
  expect(healthAfter(HEALTHY, failures(20, hourly - 1)).isDown).toBe(false)
})

it('is the same whether the attempts come one by one or in batches', () => {
  const all = failures(40, 200_000)
  const oneByOne = all.reduce((health, result) => healthAfter(health, [result]), HEALTHY)
  expect(oneByOne).toEqual(healthAfter(HEALTHY, all))
  expect(oneByOne).toMatchObject({ failures: 40, failingSince: all[0]?.at, isDown: true })
})

it('is healthy with the first success, and counts from 0 after it', () => {
  const [first, ...rest] = failures(40, 200_000) as [AttemptResult, ...AttemptResult[]]
  const recovered = healthAfter(HEALTHY, [first, ...rest, { ok: true, at: first.at }])
  expect(recovered).toEqual(HEALTHY)
  expect(healthAfter(recovered, rest.slice(0, 3))).toMatchObject({ failures: 3, isDown: false })
})
