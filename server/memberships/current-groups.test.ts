import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertManyGroupsOf } from '../../test/support/many-memberships.ts'
import type { EnvironmentId } from '../database/database.ts'
import { currentOf, findCandidates, findCurrentGroups } from './current-groups.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

/** An environment with a user who is in this many groups, `g1` and so on. */
async function withGroups(count: number): Promise<EnvironmentId> {
  const environmentId = await createEnvironment(test.database)
  await test.database.query(
    `insert into users (environment_id, id, attributes, created_at, name_key, signed_up_at_key, last_seen_at_key)
     values ($1::int, 'ada', '{}', now(), '', '', '')`,
    [environmentId],
  )
  await insertManyGroupsOf(test.database, environmentId, 'ada', count)
  return environmentId
}

it('of a user in very many groups some are read, and the named one', async () => {
  const environmentId = await withGroups(100)
  const named = async (groupId?: string) => {
    const [[found = []] = []] = await findCandidates(test.database, [
      { environmentId, items: [{ userId: 'ada', groupId }] },
    ])
    return { current: currentOf(found, groupId)?.groupId, read: found.length }
  }
  expect(await named()).toEqual({ current: undefined, read: 6 })
  expect(await named('g99')).toEqual({ current: 'g99', read: 7 })
  expect(await named('g1')).toEqual({ current: 'g1', read: 7 })
  expect(await named('elsewhere')).toEqual({ current: undefined, read: 6 })
})

it('each of several users of several environments has its own groups', async () => {
  const [one, many] = [await withGroups(1), await withGroups(3)]
  const subjects = [{ userId: 'ada' }, { userId: 'nobody' }, { userId: 'ada', groupId: 'g2' }]
  const current = (found: Awaited<ReturnType<typeof findCandidates>>) =>
    found.map((part) => part.map((rows, index) => currentOf(rows, subjects[index]?.groupId)?.groupId))
  const parts = [one, many].map((environmentId) => ({ environmentId, items: subjects }))
  const expected = [
    ['g1', undefined, undefined],
    [undefined, undefined, 'g2'],
  ]
  if (!test.database.isDistributed) expect(current(await findCandidates(test.database, parts))).toEqual(expected)
  expect(await findCurrentGroups(test.database, one, subjects)).toEqual(expected[0])
  expect(await findCurrentGroups(test.database, many, subjects)).toEqual(expected[1])
})
