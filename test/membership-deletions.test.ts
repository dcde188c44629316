import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { countOf, listOtherEnds } from '../server/dashboard/objects/profile-queries.ts'
import { inTransaction } from '../server/database/in-transaction.ts'
import { ofOne } from '../server/database/parts.ts'
import { Remover } from '../server/deletions/remover.ts'
import { insertObjects } from '../server/objects/store-queries.ts'
import { groups } from '../server/objects/tables.ts'
import { exportLines } from '../server/transfer/export.ts'
import { startTestServer, type TestServer } from './support/client.ts'
import { eventually } from './support/deliveries.ts'
import { silent } from './support/log.ts'
import { countMemberships, insertManyGroupsOf, insertManyMembers } from './support/many-memberships.ts'
import type { Json } from './support/requests.ts'
import { restoreElsewhere } from './support/restored.ts'

const MEMBERS = inject('isLong') ? 10_000 : 4_000
/** What the transaction of a deletion removes itself. */
const AT_ONCE = 1_000
/** A restore makes two months of partitions; in a cluster each has its shards. */
const RESTORE_MS = 240_000

let server: TestServer
let remover: Remover
beforeAll(async () => {
  server = await startTestServer()
  // Nothing is removed after the answer until the test starts it.
  await server.services.remover.stop()
  remover = new Remover(server.database, silent)
})
afterAll(async () => {
  await remover.stop()
  await server.close()
})

const get = async (path: string) => (await server.client.get(path)).body
const idsOf = ({ data }: Json): string[] => data.map(({ id }: { id: string }) => id)

async function countPending(): Promise<number> {
  const { rows } = await server.database.pool.query('select count(*)::int as count from pending_deletions')
  return rows[0].count
}

async function isRemoved(): Promise<boolean> {
  remover.wake()
  return (await countPending()) === 0
}

async function removeAll(): Promise<void> {
  remover = new Remover(server.database, silent)
  remover.start()
  await eventually('all of it is gone', isRemoved)
  await remover.stop()
}

async function exported(kind: 'memberships' | 'events'): Promise<string> {
  let text = ''
  for await (const lines of exportLines(server.connection, server.environmentId, kind, () => {})) text += lines
  return text
}

describe(`the deletion of a group with ${MEMBERS} members`, () => {
  /** Of a membership that is left after the deletion. */
  let leftUser: string

  beforeAll(async () => {
    await server.client.post('/groups', { id: 'big' })
    await insertManyMembers(server.database, server.environmentId, 'big', MEMBERS)
  })

  it('answers when no read shows a membership of it any more, and leaves the rest for later', async () => {
    const { client, database, environmentId } = server
    expect(idsOf(await get('/users?group_id=big&limit=100'))).toHaveLength(100)
    expect((await client.delete('/groups/big')).status).toBe(200)
    expect(await countMemberships(database, 'big')).toBe(MEMBERS - AT_ONCE)
    expect(await countPending()).toBe(1)
    const { rows } = await database.pool.query('select user_id as id from group_memberships limit 1')
    leftUser = rows[0].id

    expect((await client.get('/groups/big')).status).toBe(404)
    expect(await get('/users?group_id=big')).toMatchObject({ data: [], has_more: false })
    expect(await get(`/groups?user_id=${leftUser}`)).toMatchObject({ data: [], has_more: false })
    for (const [tree, shown] of Object.entries({
      groups: { groups: [] },
      memberships: { memberships: [] },
      'memberships.group': { memberships: [] },
      'groups.users': { groups: [] },
      'memberships.group.memberships.user': { memberships: [] },
    })) {
      expect(await get(`/users/${leftUser}?expand=${tree}`), tree).toMatchObject(shown)
      expect((await get(`/users?limit=1&expand=${tree}`)).data[0], tree).toMatchObject(shown)
      expect((await client.post(`/users?expand=${tree}`, { id: leftUser })).body, tree).toMatchObject(shown)
    }
    const tracked = await client.post('/events?expand=user.groups', { name: 'left', user_id: leftUser })
    expect(tracked.body.user.groups).toEqual([])
    expect((await get(`/users/${leftUser}/export`)).memberships).toEqual([])
    expect(await exported('memberships')).toBe('')
    expect(await countOf(database, environmentId, 'memberships', 'user_id', leftUser)).toMatchObject({ count: 0 })
    expect(await listOtherEnds(database, environmentId, 'user_id', leftUser, undefined, 10)).toEqual([])
  })

  it(
    'shows nothing where a backup of that moment is restored, and goes on there until no row is left',
    async () => {
      const { client, services, close } = await restoreElsewhere(server)
      onTestFinished(close)
      const { database } = services
      expect(await countMemberships(database, 'big')).toBe(MEMBERS - AT_ONCE)
      expect((await client.get('/groups/big')).status).toBe(404)
      expect((await client.get('/users?group_id=big')).body.data).toEqual([])
      expect((await client.get(`/users/${leftUser}?expand=memberships.group`)).body.memberships).toEqual([])
      await client.post('/groups', { id: 'big' })
      expect((await client.get('/groups/big?expand=users')).body.users).toEqual([])
      services.remover.start()
      await eventually('all of it is gone', async () => (await countMemberships(database, 'big')) === 0)
    },
    RESTORE_MS,
  )

  it('a new group of the same id has none of the old members, and those that join it are new', async () => {
    const { client } = server
    await client.post('/groups', { id: 'big', attributes: { is_new: true } })
    expect(await get('/groups/big?expand=users')).toMatchObject({ attributes: { is_new: true }, users: [] })
    expect(await get('/users?group_id=big')).toMatchObject({ data: [], has_more: false })
    expect(await exported('memberships')).toBe('')

    const membership = { group_id: 'big', attributes: { visits: { add: 1 } } }
    await client.post('/users', { id: leftUser, memberships: [membership] })
    const [shown] = (await get(`/users/${leftUser}?expand=memberships`)).memberships
    expect(shown).toMatchObject({ group_id: 'big', attributes: { visits: 1 } })
    expect(shown.attributes).not.toHaveProperty('role')
    expect(Date.parse(shown.created_at)).toBeGreaterThan(Date.parse((await get('/groups/big')).created_at))
    await client.post('/users', { id: leftUser, memberships: [membership] })
    expect((await get(`/users/${leftUser}?expand=memberships`)).memberships[0].attributes).toEqual({ visits: 2 })
    expect(idsOf(await get('/users?group_id=big'))).toEqual([leftUser])
    expect((await exported('memberships')).trim().split('\n')).toHaveLength(1)
  })

  it('pruning and leaving a group touch what is left as if it were not there', async () => {
    const { client, database } = server
    const { rows } = await database.pool.query(
      'select user_id as id from group_memberships where user_id <> $1 limit 2',
      [leftUser],
    )
    const [{ id: pruned }, { id: leaver }] = rows
    const groupsAfter = await client.post('/users?expand=groups', {
      id: pruned,
      prune_memberships: true,
      groups: [{ id: 'o' }],
    })
    expect(groupsAfter.body.groups.map(({ id }: { id: string }) => id)).toEqual(['o'])
    expect((await client.delete(`/group_memberships?user_id=${leaver}&group_id=big`)).status).toBe(200)
  })

  it('continues after a restart in the middle of it, until only the new row is left', async () => {
    const { database } = server
    remover.start()
    await eventually(
      'some of it is gone',
      async () => (await countMemberships(database, 'big')) < MEMBERS - AT_ONCE - 2,
    )
    await remover.stop()
    expect(await countMemberships(database, 'big')).toBeGreaterThan(1)
    expect(await countPending()).toBe(1)
    await removeAll()
    expect(await countMemberships(database, 'big')).toBe(1)
    expect(idsOf(await get('/users?group_id=big'))).toEqual([leftUser])
  })
})

it('the deletion of a user with 1,500 groups leaves none of its memberships to be read, and in the end no row', async () => {
  const { client, database, environmentId } = server
  await client.post('/users', { id: 'joiner' })
  await insertManyGroupsOf(database, environmentId, 'joiner', 1_500)
  expect((await client.delete('/users/joiner')).status).toBe(200)
  const { rows } = await database.pool.query("select group_id as id from group_memberships where user_id = 'joiner'")
  expect(rows).toHaveLength(500)
  const [{ id: group }] = rows
  expect((await get(`/groups/${group}?expand=users.groups`)).users).toEqual([])
  expect((await get(`/groups/${group}?expand=memberships`)).memberships).toEqual([])
  await client.post('/users', { id: 'joiner', groups: [{ id: group }] })
  expect(idsOf(await get('/groups?user_id=joiner'))).toEqual([group])
  expect((await get(`/groups/${group}?expand=users`)).users).toHaveLength(1)
  await removeAll()
  expect(idsOf(await get('/groups?user_id=joiner'))).toEqual([group])
  const kept = await database.pool.query("select group_id as id from group_memberships where user_id = 'joiner'")
  expect(kept.rows).toEqual([{ id: group }])
})

it('an object never gets the creation time of a predecessor of which memberships are left', async () => {
  const { database, environmentId } = server
  const at = '2026-01-01T00:00:00.000Z'
  await database.query(
    `insert into pending_deletions (environment_id, owner, owner_id, boundary, requested_at, object_created_at)
     values ($1::int, 'group', 'twin', '00000000-0000-7000-8000-000000000000', now(), $2::timestamptz)`,
    [environmentId, at],
  )
  const insert = (createdAt: string) =>
    inTransaction(database, (transaction) =>
      insertObjects(
        transaction,
        groups,
        ofOne(environmentId, [['twin', { attributes: {}, attributesJson: '{}', createdAt }]]),
      ),
    )
  expect(await insert(at)).toEqual([])
  expect(await insert('2026-01-01T00:00:00.001Z')).toEqual(['twin'])
  await removeAll()
})

it('a user who joins a group while it is deleted is a member exactly when the join came later', async () => {
  const { client, database, environmentId } = server
  remover = new Remover(database, silent)
  remover.start()
  for (let round = 0; round < 3; round += 1) {
    await client.post('/groups', { id: 'race' })
    await insertManyMembers(database, environmentId, 'race', 2_000)
    const join = (id: string) =>
      client.post('/users', { id, memberships: [{ group_id: 'race', attributes: { round } }] })
    const during = Array.from({ length: 20 }, (_, index) => `m${index * 80 + 1}`)
    const answers = await Promise.all([client.delete('/groups/race'), ...during.map(join), isRemoved()])
    expect(answers.slice(0, -1)).toEqual(Array(21).fill(expect.objectContaining({ status: 200 })))
    const later = ['m5', 'm1005', 'm1995']
    await Promise.all(later.map(join))
    const { users: shown } = await get('/groups/race?expand=users.memberships')
    const ids = shown.map(({ id }: { id: string }) => id)
    expect(ids).toEqual(expect.arrayContaining(later))
    expect([...during, ...later]).toEqual(expect.arrayContaining(ids))
    const shownRounds = shown.flatMap((user: { memberships: { group_id: string; attributes: unknown }[] }) =>
      user.memberships.filter(({ group_id }) => group_id === 'race').map(({ attributes }) => attributes),
    )
    expect(shownRounds).toEqual(ids.map(() => ({ round })))
    await eventually('all of it is gone', isRemoved)
    expect(await countMemberships(database, 'race')).toBe(ids.length)
    expect((await client.delete('/groups/race')).status).toBe(200)
  }
})
