import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Condition } from '../../contract/conditions/condition.ts'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertManyGroupsOf } from '../../test/support/many-memberships.ts'
import type { EnvironmentId } from '../database/database.ts'
import { newId } from '../ids.ts'
import { ObjectReader } from '../objects/reader.ts'
import { explain } from '../segments/explain.ts'
import { Compiler } from './compile.ts'
import { FactReader } from './fact-reader.ts'

let test: TestDatabase
let environmentId: EnvironmentId
beforeAll(async () => {
  test = await createTestDatabase()
  environmentId = await createEnvironment(test.database)
  for (const userId of ['ada', 'grace'])
    await test.database.query(
      `insert into users (environment_id, id, attributes, created_at, name_key, signed_up_at_key, last_seen_at_key)
       values ($1::int, $2::text, '{"role": "owner"}', now(), '', '', '')`,
      [environmentId, userId],
    )
  await insertManyGroupsOf(test.database, environmentId, 'ada', 100)
  await test.database.query(
    `update groups set attributes = '{"plan": "scale"}' where environment_id = $1::int and id in ('g57', 'g58')`,
    [environmentId],
  )
  await test.database.query(
    `update group_memberships set attributes = '{"seat": 1}' where environment_id = $1::int and group_id in ('g58', 'g59')`,
    [environmentId],
  )
  await test.database.query(
    `insert into events (environment_id, id, name, user_id, group_id, time, attributes, created_at)
     values ($1::int, $2::uuid, 'paid', 'ada', 'g59', now(), '{}', now())`,
    [environmentId, newId()],
  )
})
afterAll(() => test.close())

const meanings = { segments: () => undefined, keptDays: undefined }
const isOwner: Condition = { attribute: 'role', is: 'equals', value: 'owner' }
const isScale: Condition = { attribute: 'plan', of: 'group', is: 'equals', value: 'scale' }
const hasSeat: Condition = { attribute: 'seat', of: 'membership', is: 'equals', value: 1 }
const hasPaid: Condition = { event: 'paid', by: 'group' }

async function explained(userId: string, all: Condition[]) {
  const reader = new FactReader(test.database, new ObjectReader(test.database))
  const request = { environmentId, condition: { all }, userId, groupId: undefined, ...meanings }
  const { met, group_id } = await explain(reader, request)
  return { met, group_id }
}

it('of a user in very many groups the one that fits is found, and the first one tells why none does', async () => {
  expect(await explained('ada', [isOwner, isScale])).toEqual({ met: true, group_id: 'g57' })
  expect(await explained('ada', [isScale, hasSeat])).toEqual({ met: true, group_id: 'g58' })
  expect(await explained('ada', [hasPaid, hasSeat])).toEqual({ met: true, group_id: 'g59' })
  expect(await explained('ada', [hasPaid, isScale])).toEqual({ met: false, group_id: 'g1' })
  expect(await explained('ada', [isScale, { not: isOwner }])).toEqual({ met: false, group_id: 'g1' })
  expect(await explained('grace', [isOwner, { not: isScale }])).toEqual({ met: true, group_id: null })
})

it('of very many groups one is read', async () => {
  const compiler = new Compiler(meanings)
  compiler.add(isScale)
  const reader = new FactReader(test.database, new ObjectReader(test.database))
  const asked = { condition: isScale, ...meanings }
  const facts = await reader.readForEachGroup(environmentId, 'ada', compiler.needs, asked)
  expect(facts.map(({ group }) => group?.id)).toEqual(['g57'])
})
