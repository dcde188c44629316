import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import type { EnvironmentId } from '../database/database.ts'
import { ObjectReader } from './reader.ts'
import { groups, users } from './tables.ts'

let test: TestDatabase
let environments: EnvironmentId[]

beforeAll(async () => {
  test = await createTestDatabase()
  environments = await Promise.all(Array.from({ length: 20 }, () => createEnvironment(test.database)))
  await test.database.query(
    `insert into users (environment_id, id, attributes, created_at, name_key, signed_up_at_key, last_seen_at_key)
     select environment_id, 'u' || n, jsonb_build_object('own', environment_id), now(), '', '', ''
       from unnest($1::int[]) as environment_id, generate_series(1, 3) as n
      where environment_id % 5 > 0`,
    [environments],
  )
})
afterAll(() => test.close())

/** Records the environments of each statement. */
function watched(isDistributed: boolean) {
  const statements: EnvironmentId[][] = []
  const database = new Proxy(test.database, {
    get: (target, name) => {
      if (name === 'isDistributed') return isDistributed
      if (name === 'anchor') return (environmentId: EnvironmentId) => target.anchor(environmentId)
      if (name !== 'query') return Reflect.get(target, name)
      return (text: string, values: unknown[]) => {
        statements.push([values[0] as EnvironmentId].flat())
        return target.query(text, values)
      }
    },
  })
  return { database, statements }
}

async function readAll(reader: ObjectReader): Promise<void> {
  const wanted = environments.flatMap((environmentId) =>
    ['u1', 'u2', 'u2', 'u3', 'nobody'].map((id) => ({ environmentId, id })),
  )
  const rows = await Promise.all(wanted.map(({ environmentId, id }) => reader.find(environmentId, users, id)))
  for (const [index, { environmentId, id }] of wanted.entries()) {
    const exists = environmentId % 5 > 0 && id !== 'nobody'
    const found = rows[index] && { id: rows[index].id, attributes: JSON.parse(rows[index].attributesJson) }
    expect(found).toEqual(exists ? { id, attributes: { own: environmentId } } : undefined)
  }
}

it.skipIf(inject('cluster').isDistributed)(
  'concurrent reads of many environments share statements, and each finds the object of its own environment, or none',
  async () => {
    const { database, statements } = watched(false)
    const reader = new ObjectReader(database)
    await readAll(reader)
    expect(statements.length).toBeLessThanOrEqual(2)
    expect(await reader.find(environments[0] as EnvironmentId, groups, 'u1')).toBeUndefined()
  },
)

it('on a sharded PostgreSQL each environment is read by itself', async () => {
  const { database, statements } = watched(true)
  await readAll(new ObjectReader(database))
  expect(statements.every((environmentIds) => environmentIds.length === 1)).toBe(true)
})

it('large objects that are read at once are not read in one statement', async () => {
  const environmentId = await createEnvironment(test.database)
  const numbers = Array.from({ length: 100 }, (_, index) => index)
  await test.database.query(
    `insert into users (environment_id, id, attributes, created_at, name_key, signed_up_at_key, last_seen_at_key)
     select $1::int, 'u' || n, jsonb_build_object('text', repeat('x', 250000)), now(), '', '', ''
       from unnest($2::int[]) as n`,
    [environmentId, numbers],
  )
  // On a sharded PostgreSQL the first read would store it, which is a statement too.
  await test.database.anchor(environmentId)
  const query = vi.spyOn(test.database, 'query')
  const reader = new ObjectReader(test.database)
  const rows = await Promise.all(numbers.map((number) => reader.find(environmentId, users, `u${number}`)))
  expect(rows.map((row) => row?.id)).toEqual(numbers.map((number) => `u${number}`))
  const answers = await Promise.allSettled(query.mock.results.map(({ value }) => value as Promise<object[]>))
  const sizes = answers.map((each) => (each.status === 'fulfilled' ? each.value.length : 'refused'))
  expect(sizes).toEqual(['refused', 50, 50])
  query.mockRestore()
})
