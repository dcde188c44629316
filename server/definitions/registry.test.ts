import { expect, it } from 'vitest'
import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import { NewDefinitions } from './new-definitions.ts'
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

it('caches a bounded number of names of all environments, however many each has', async () => {
  const registry = new DefinitionRegistry({} as DefinitionUsage, { mostNamesInAll: 1_000 })
  const transaction = { query: async () => [], afterCommit: (work: () => void) => work() }
  const names = (id: number) => registry.of(id as EnvironmentId).size
  const record = async (id: number, count: number) => {
    const found = new NewDefinitions(registry.of(id as EnvironmentId))
    for (let name = 0; name < count; name += 1) found.events.add(`event ${id} ${names(id)} ${name}`)
    await registry.record(transaction as never as OpenTransaction, id as EnvironmentId, found, '2026-01-01T00:00:00Z')
  }
  for (let id = 1; id <= 10; id += 1) await record(id, 100)
  expect([registry.size, names(1)]).toEqual([10, 100])
  await record(11, 150)
  // The two that were used last longest ago are forgotten; the first was asked for since.
  expect(registry.size).toBe(9)
  expect([names(1), names(4), names(11)]).toEqual([100, 100, 150])
  await record(12, 5_000)
  expect([registry.size, names(12)]).toEqual([1, 5_000])
  await record(13, 1)
  expect([registry.size, names(13)]).toEqual([1, 1])
})
