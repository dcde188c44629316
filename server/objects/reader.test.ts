import { afterAll, beforeAll, expect, it } from 'vitest'
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

it('concurrent reads of many environments each find the object of their own environment, or none', async () => {
  let statements = 0
  const database = new Proxy(test.database, {
    get: (target, name) => {
      if (name !== 'query') return Reflect.get(target, name)
      return (text: string, values: unknown[]) => {
        statements += 1
        return target.query(text, values)
      }
    },
  })
  const reader = new ObjectReader(database)
  const wanted = environments.flatMap((environmentId) =>
    ['u1', 'u2', 'u2', 'u3', 'nobody'].map((id) => ({ environmentId, id })),
  )
  const rows = await Promise.all(wanted.map(({ environmentId, id }) => reader.find(environmentId, users, id)))
  for (const [index, { environmentId, id }] of wanted.entries()) {
    const exists = environmentId % 5 > 0 && id !== 'nobody'
    const found = rows[index] && { id: rows[index].id, attributes: JSON.parse(rows[index].attributesJson) }
    expect(found).toEqual(exists ? { id, attributes: { own: environmentId } } : undefined)
  }
  expect(statements).toBeLessThanOrEqual(2)
  expect(await reader.find(environments[0] as EnvironmentId, groups, 'u1')).toBeUndefined()
})
