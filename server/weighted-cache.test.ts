import { expect, it } from 'vitest'
import { WeightedCache } from './weighted-cache.ts'

const newCache = (most: number) => new WeightedCache<number, { weight: number }>(most, ({ weight }) => weight)

it('10,000 values take no more memory than allowed: the least recently used go', () => {
  const cache = newCache(1_000)
  cache.set(0, { weight: 10 })
  let most = 0
  for (let key = 1; key < 10_000; key += 1) {
    cache.set(key, { weight: 10 })
    most = Math.max(most, cache.size)
    // It is asked for again and again, so it stays.
    if (!cache.get(0)) expect.fail(`it is gone at ${key}`)
  }
  expect([most, cache.size]).toEqual([100, 100])
  expect(cache.get(9_999)).toBeDefined()
  expect(cache.get(5_000)).toBeUndefined()
})

it('a value that is set again weighs what it weighs then', () => {
  const cache = newCache(100)
  for (let key = 0; key < 10; key += 1) cache.set(key, { weight: 5 })
  for (let round = 0; round < 100; round += 1) cache.set(3, { weight: 50 })
  expect(cache.size).toBe(10)
  cache.set(3, { weight: 60 })
  expect([cache.size, cache.get(0), cache.get(3)]).toEqual([9, undefined, { weight: 60 }])
})

it('a value that is too heavy for all others takes their place', () => {
  const cache = newCache(100)
  for (let key = 0; key < 10; key += 1) cache.set(key, { weight: 5 })
  cache.set(10, { weight: 500 })
  expect([cache.size, cache.get(10)]).toEqual([1, { weight: 500 }])
  cache.set(11, { weight: 5 })
  expect([cache.size, cache.get(11)]).toEqual([1, { weight: 5 }])
})
