import { expect, it } from 'vitest'
import type { EnvironmentId } from '../database/database.ts'
import { DefinitionRegistry } from './registry.ts'
import type { DefinitionUsage } from './usage.ts'

it('caches the definitions of a bounded number of environments, the most recently used', () => {
  const registry = new DefinitionRegistry({} as DefinitionUsage, { mostEnvironments: 100 })
  const first = registry.of(1 as EnvironmentId)
  first.learnEvent('known')
  for (let id = 2; id <= 10_000; id += 1) {
    registry.of(id as EnvironmentId)
    if (id % 50 === 0) expect(registry.of(1 as EnvironmentId)).toBe(first)
  }
  expect(registry.size).toBe(100)
  for (let id = 2; id <= 200; id += 1) registry.of(id as EnvironmentId)
  expect(registry.of(1 as EnvironmentId)).not.toBe(first)
})
