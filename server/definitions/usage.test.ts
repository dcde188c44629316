import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { operationKeys } from '../../contract/attributes.ts'
import { operationInputs } from '../../test/support/attribute-inputs.ts'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { silent } from '../../test/support/log.ts'
import { type Assignment, parseOperations, seenType } from '../attributes/operations.ts'
import type { EnvironmentId } from '../database/database.ts'
import { OpenTransaction } from '../database/transaction.ts'
import { leastIdAt } from '../ids.ts'
import { DefinitionCache, NewDefinitions } from './new-definitions.ts'
import { DefinitionUsage } from './usage.ts'
import { keepOwners } from './usage-queries.ts'

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
  for (const name of names) newDefinitions.seenOnEvent(name, Date.now(), parseOperations({}), { objectId: null })
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

/** Begins no transaction until it has recovered. */
function failingDatabase(error: Error) {
  let fails = true
  const begin = async () => {
    if (fails) throw error
    return await test.database.begin()
  }
  return {
    database: Object.create(test.database, { begin: { value: begin } }),
    recover: () => {
      fails = false
    },
  }
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
      const seenNow = new NewDefinitions(known)
      seenNow.seenOnEvent('c', Date.parse(at), parseOperations({ x: 1 }), { objectId: null })
      usage.add(environmentId, seenNow, known, at)
    }
    await usage.stop()
    const rows = await test.database.query(
      `select last_seen_at from event_definitions where environment_id = $1::int and name = 'c'
       union all select last_seen_at from attribute_definitions where environment_id = $1::int and name = 'x'`,
      [environmentId],
    )
    expect(rows).toEqual([{ last_seen_at: '2026-01-04T00:00:00.000Z' }, { last_seen_at: '2026-01-04T00:00:00.000Z' }])
  })

  it('have an example of every operation that conflicts with the type of its attribute', async () => {
    const usage = new DefinitionUsage(test.database, silent)
    const cache = new DefinitionCache()
    const seenNow = new NewDefinitions(cache)
    for (const [index, input] of operationInputs.entries()) {
      const operations = parseOperations({ [`conflict_${index}`]: fc.sample(input, 1)[0] ?? null })
      const [[name, operation]] = operations as [[string, Assignment]]
      cache.learnAttribute({ scope: 'user', name }, seenType(operation) === 'boolean' ? 'string' : 'boolean')
      seenNow.seen('user', operations, { objectId: null })
    }
    usage.add(environmentId, seenNow, cache, '2026-01-02T00:00:00.000Z')
    await usage.stop()
    const rows = await test.database.query(
      `select name from attribute_conflicts where environment_id = $1::int and example is not null`,
      [environmentId],
    )
    expect(rows).toHaveLength(operationKeys.length)
  })

  it.skipIf(inject('cluster').isDistributed)(
    'of many environments are stored by as many statements as those of one, each in its own environment',
    async () => {
      const environments = [
        environmentId,
        await createEnvironment(test.database),
        await createEnvironment(test.database),
      ]
      await test.database.query(
        `insert into event_definitions (environment_id, id, name, display_name, description, created_at)
         select id, gen_random_uuid(), 'shared', '', '', now() from unnest($1::int[]) as id`,
        [environments],
      )
      await test.database.query(
        `insert into attribute_definitions
           (environment_id, id, scope, name, data_type, display_name, description, type_conflicts, created_at)
         select id, gen_random_uuid(), 'event', 'shared', 'number', '', '', 0, now() from unnest($1::int[]) as id`,
        [environments],
      )
      const statements = vi.spyOn(OpenTransaction.prototype, 'query')
      onTestFinished(() => statements.mockRestore())
      const flush = async (ids: readonly EnvironmentId[], at: string) => {
        const usage = new DefinitionUsage(test.database, silent)
        for (const [index, id] of ids.entries())
          for (let times = 0; times <= index; times += 1) {
            const seenNow = new NewDefinitions(known)
            seenNow.seenOnEvent('shared', Date.now(), parseOperations({ shared: 1 }), { objectId: null })
            usage.add(id, seenNow, known, at)
          }
        statements.mockClear()
        await usage.stop()
        return statements.mock.calls.length
      }
      const ofOne = await flush(environments.slice(0, 1), '2026-01-02T00:00:00.000Z')
      expect(await flush(environments, '2026-01-03T00:00:00.000Z')).toBe(ofOne)
      const rows = await test.database.query(
        `select event.event_count::int as events, event.last_seen_at as at, attribute.last_seen_at as "attributeAt",
                (select sum(count)::int from counts
                  where environment_id = event.environment_id and kind = 'event_name' and name = 'shared') as counted
           from event_definitions as event join attribute_definitions as attribute using (environment_id, name)
          where name = 'shared' order by environment_id`,
        [],
      )
      const at = '2026-01-03T00:00:00.000Z'
      expect(rows).toEqual([2, 2, 3].map((events) => ({ events, at, attributeAt: at, counted: events })))
    },
  )

  it('are kept while they cannot be stored, and added once', async () => {
    const before = await counts()
    const failing = failingDatabase(new Error('no'))
    const usage = new DefinitionUsage(failing.database, silent)
    for (let round = 0; round < 3; round += 1) {
      usage.add(environmentId, seen('a'), known, '2026-01-02T00:00:00.000Z')
      await usage.flush()
    }
    failing.recover()
    await usage.stop()
    expect(await counts()).toEqual({ ...before, a: (before.a as number) + 3 })
  })

  it('are tried once more by a stop, however many flushes were due while the database did not answer', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { promise: silence, reject } = Promise.withResolvers<never>()
    const begin = vi.fn(() => silence)
    const usage = new DefinitionUsage(Object.create(test.database, { begin: { value: begin } }), silent)
    usage.add(environmentId, seen('a'), known, '2026-01-02T00:00:00.000Z')
    await vi.advanceTimersByTimeAsync(60_000)
    const stopped = usage.stop()
    reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }))
    await stopped
    expect(begin).toHaveBeenCalledTimes(2)
  })

  it.each([
    ['debug', 'the database is unreachable', Object.assign(new Error('no'), { code: 'ECONNREFUSED' })],
    ['warn', 'a statement fails', new Error('no')],
  ])('are logged as not stored at %s when %s', async (level, _, error) => {
    const lines: string[] = []
    const log = { ...silent, debug: () => void lines.push('debug'), warn: () => void lines.push('warn') }
    const failing = failingDatabase(error)
    const usage = new DefinitionUsage(failing.database, log)
    usage.add(environmentId, seen('a'), known, '2026-01-02T00:00:00.000Z')
    await usage.flush()
    expect(lines).toEqual([level])
    failing.recover()
    await usage.stop()
  })
})

it('an event that is left over from a deletion keeps no example, nor does a later one that of an event before it', async () => {
  const insertEvents = (ids: readonly [user: string, number: number][]) =>
    test.database.query(
      `insert into events (environment_id, id, name, user_id, attributes, time, created_at)
       select $1::int, id, 'a', user_id, '{}', now(), now() from unnest($2::uuid[], $3::text[]) as given (id, user_id)`,
      [environmentId, ids.map(([, number]) => leastIdAt(number)), ids.map(([user]) => user)],
    )
  await insertEvents([
    ['never deleted', 1],
    ['deleted', 2],
    ['tracked again', 3],
  ])
  await test.database.query(
    `insert into pending_deletions (environment_id, owner, owner_id, boundary, requested_at)
     select $1::int, 'user', owner_id, $2::uuid, now() from unnest($3::text[]) as owner_id`,
    [environmentId, leastIdAt(3), ['deleted', 'tracked again']],
  )
  await insertEvents([['tracked again', 4]])
  const transaction = await test.database.begin()
  const of = (objectId: string, number: number) => ({ scope: 'event', objectId, eventId: leastIdAt(number) }) as const
  const kept = [of('never deleted', 1), of('tracked again', 4)]
  const gone = [of('deleted', 2), of('tracked again', 3), of('unknown', 5)]
  expect(await keepOwners(transaction, environmentId, [...gone, ...kept])).toEqual(kept)
  await transaction.commit()
})
