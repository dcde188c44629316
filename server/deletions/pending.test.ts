import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { blocksRead, explained, type Plan } from '../../test/support/explained.ts'
import type { EnvironmentId } from '../database/database.ts'
import { leastIdAt } from '../ids.ts'
import { isAfterDeletion, isNotDeleted, isNotDeletedByKey, type Owner } from './pending.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(async () => await test.close())

interface Deletion {
  owner: Owner
  ownerId: string
  boundary: string
}

const ENVIRONMENT = 7 as EnvironmentId
const OTHER_ENVIRONMENT = 8 as EnvironmentId
const OWNERS = [null, 'a', 'b', 'c']
/** The same id can be that of a user and of a group. */
const events = OWNERS.flatMap((userId) =>
  OWNERS.flatMap((groupId) => Array.from({ length: 6 }, (_, at) => ({ userId, groupId, at }))),
).map((event, index) => ({ ...event, id: leastIdAt(event.at * 1000 + index + 1) }))

const pick = <Item>(items: readonly Item[]) => items[Math.floor(Math.random() * items.length)] as Item

function randomDeletions(): Deletion[] {
  return Array.from({ length: pick([0, 1, 2, 6]) }, () => ({
    owner: pick(['user', 'group'] as const),
    ownerId: pick(['a', 'b', 'c']),
    boundary: leastIdAt(pick([0, 1, 2, 3, 4, 5, 6]) * 1000 + pick([0, 500])),
  }))
}

async function deleteOwners(deletions: readonly Deletion[]): Promise<void> {
  const { database } = test
  await database.query('delete from pending_deletions', [])
  for (const [environmentId, { owner, ownerId, boundary }] of [
    [OTHER_ENVIRONMENT, { owner: 'user', ownerId: 'a', boundary: leastIdAt(9_000) }],
    ...deletions.map((deletion) => [ENVIRONMENT, deletion]),
  ] as [EnvironmentId, Deletion][])
    await database.query(
      `insert into pending_deletions (environment_id, owner, owner_id, boundary, requested_at)
       values ($1::int, $2::text, $3::text, $4::uuid, now()) on conflict do nothing`,
      [environmentId, owner, ownerId, boundary],
    )
}

/** The events of `a`, as lists of one owner find them. */
const ofOwner = (owner: Owner, other: Owner) =>
  `object.${owner}_id = 'a' and ${isAfterDeletion('object.id', owner, "'a'")} and ${isNotDeleted('object', '$1::int', [other])}`

async function shownIds(condition: string): Promise<string[]> {
  const rows = await test.database.query<{ id: string }>(
    `select id from events as object where object.environment_id = $1::int and ${condition} order by object.id`,
    [ENVIRONMENT],
  )
  return rows.map(({ id }) => id)
}

it('an event is hidden exactly when a deletion of its user or its group covers its id', async () => {
  await test.database.query(
    `insert into events (environment_id, id, name, user_id, group_id, attributes, time, created_at)
     select $1::int, id, 'x', user_id, group_id, '{}', now(), now()
       from unnest($2::uuid[], $3::text[], $4::text[]) as given (id, user_id, group_id)`,
    [ENVIRONMENT, events.map(({ id }) => id), events.map(({ userId }) => userId), events.map(({ groupId }) => groupId)],
  )
  for (let round = 0; round < 40; round += 1) {
    const deletions = randomDeletions()
    const isCovered = ({ id, userId, groupId }: (typeof events)[number]) =>
      deletions.some(
        ({ owner, ownerId, boundary }) => boundary >= id && ownerId === (owner === 'user' ? userId : groupId),
      )
    const shown = events.filter((event) => !isCovered(event))
    await deleteOwners(deletions)
    for (const [condition, expected] of [
      [isNotDeleted('object'), shown],
      [isNotDeletedByKey('object'), shown],
      [ofOwner('user', 'group'), shown.filter(({ userId }) => userId === 'a')],
      [ofOwner('group', 'user'), shown.filter(({ groupId }) => groupId === 'a')],
    ] as const)
      expect(await shownIds(condition), JSON.stringify(deletions)).toEqual(expected.map(({ id }) => id).sort())
  }
})

// A plan on Citus is that of the coordinator, and shows no blocks.
it.skipIf(inject('cluster').isDistributed)('a list passes over leftovers without a look-up for each', async () => {
  const { database } = test
  const big = 9 as EnvironmentId
  await database.query(
    `insert into events (environment_id, id, name, group_id, attributes, time, created_at)
     select $1::int, ('00000000-0001-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'x', 'big', '{}', now(), now()
       from generate_series(1, 5000) as n`,
    [big],
  )
  await database.query(
    `insert into pending_deletions (environment_id, owner, owner_id, boundary, requested_at)
     values ($1::int, 'group', 'big', $2::uuid, now())`,
    [big, leastIdAt(2)],
  )
  await database.query('analyze events', [])
  const [plan] = await explained(database.pool, (db) =>
    db.query(
      `select id from events as object
        where object.environment_id = $1::int and ${isNotDeleted('object')} order by object.id limit 10`,
      [big],
    ),
  )
  expect(blocksRead(plan as Plan)).toBeLessThan(1_000)
})
