import { expect, it } from 'vitest'
import type { NameCount } from '../counters/read.ts'
import { healthOf } from './page-health.ts'

const counts = (names: Record<string, number>): NameCount[] =>
  Object.entries(names).map(([name, count]) => ({ name, count, last_at: '2026-01-03T09:30:00Z' }))

const pages = {
  versions: counts({ '1.3.0 https://a': 1, '1.4.0 https://a': 2, '1.3.0 https://b': 4, ' https://b': 1 }),
  answers: counts({ '100 https://a': 1, '5 https://a': 50, '25 https://a': 49, '15000 https://b': 1 }),
  errors: counts({ 'caught https://a': 3, 'rate_limited https://a': 1, 'invalid_params https://b': 2 }),
}

it('says in which time half of the answers and 95 of 100 came, of one origin', () => {
  expect(healthOf(pages, 'https://a').answers).toEqual({ count: 100, half_ms: 5, most_ms: 25 })
  expect(healthOf(pages, 'https://b').answers).toEqual({ count: 1, half_ms: 15_000, most_ms: 15_000 })
  expect(healthOf(pages, 'https://c')).toEqual({ versions: [], answers: null, errors: { caught: 0, refused: 0 } })
})

it('adds up all origins, the most frequent version first', () => {
  const { versions, errors } = healthOf(pages)
  expect(versions).toEqual([
    { version: '1.3.0', count: 5 },
    { version: '1.4.0', count: 2 },
    { version: '', count: 1 },
  ])
  expect(errors).toEqual({ caught: 3, refused: 3 })
})
