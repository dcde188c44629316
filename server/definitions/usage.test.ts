import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { silent } from '../../test/support/log.ts'
import { parseOperations } from '../attributes/operations.ts'
import type { EnvironmentId } from '../database/database.ts'
import { DefinitionCache, NewDefinitions } from './new-definitions.ts'
import { DefinitionUsage } from './usage.ts'

let test: TestDatabase
let environmentId: EnvironmentId
beforeAll(async () => {
  test = await createTestDatabase()
  environmentId = await createEnvironment(test.database)
  await test.database.pool.query(
    `insert into event_definitions (environment_id, id, name, display_name, description, created_at)
     select $1, gen_random_uuid(), name, name, '', '2026-01-01T00:00:00Z' from unnest($2::text[]) as name`,
    [environmentId, ['a', 'b', 'c']],
  )
})
afterAll(() => test.close())

const known = new DefinitionCache()

function seen(...names: string[]): NewDefinitions {
  const newDefinitions = new NewDefinitions(known)
  for (const name of names) newDefinitions.seenOnEvent(name, parseOperations({}), null)
  return newDefinitions
}

async function counts(): Promise<Record<string, number>> {
  const { rows } = await test.database.pool.query(
    'select name, event_count from event_definitions where environment_id = $1',
    [environmentId],
  )
  return Object.fromEntries(
    rows.map((row: { name: string; event_count: string }) => [row.name, Number(row.event_count)]),
  )
}

describe('the counts of names', () => {
  it('are exact after a clean stop, also of several nodes that add to the same names in another order', async () => {
    const nodes = Array.from({ length: 4 }, () => new DefinitionUsage(test.database, silent))
    for (let round = 0; round < 50; round += 1) {
      for (const [index, node] of nodes.entries()) {
        const names = index % 2 === 0 ? ['a', 'b', 'c'] : ['c', 'b', 'a']
        node.add(environmentId, seen(...names, 'a'), known, '2026-01-02T00:00:00.000Z')
      }
      await Promise.all(nodes.map((node) => node.flush()))
    }
    await Promise.all(nodes.map((node) => node.stop()))
    expect(await counts()).toEqual({ a: 400, b: 200, c: 200 })
  })

  it('have the latest time as last seen, in whatever order batches are counted', async () => {
    const usage = new DefinitionUsage(test.database, silent)
    await test.database.pool.query(
      `insert into attribute_definitions
         (environment_id, id, scope, name, data_type, display_name, description, type_conflicts, created_at)
       values ($1, gen_random_uuid(), 'event', 'x', 'number', 'X', '', 0, '2026-01-01T00:00:00Z')`,
      [environmentId],
    )
    for (const at of ['2026-01-03T00:00:00.000Z', '2026-01-04T00:00:00.000Z', '2026-01-02T00:00:00.000Z']) {
      const news = new NewDefinitions(known)
      news.seenOnEvent('c', parseOperations({ x: 1 }), null)
      usage.add(environmentId, news, known, at)
    }
    await usage.stop()
    const rows = await test.database.query(
      `select last_seen_at from event_definitions where environment_id = $1::int and name = 'c'
       union all select last_seen_at from attribute_definitions where environment_id = $1::int and name = 'x'`,
      [environmentId],
    )
    expect(rows).toEqual([{ last_seen_at: '2026-01-04T00:00:00.000Z' }, { last_seen_at: '2026-01-04T00:00:00.000Z' }])
  })

  it('are kept while the database is away, and added once', async () => {
    const before = await counts()
    let away = true
    const database = Object.create(test.database, {
      begin: {
        value: async () => {
          if (away) throw new Error('away')
          return await test.database.begin()
        },
      },
    })
    const usage = new DefinitionUsage(database, silent)
    for (let round = 0; round < 3; round += 1) {
      usage.add(environmentId, seen('a'), known, '2026-01-02T00:00:00.000Z')
      await usage.flush()
    }
    away = false
    await usage.stop()
    expect(await counts()).toEqual({ ...before, a: (before.a as number) + 3 })
  })
})
