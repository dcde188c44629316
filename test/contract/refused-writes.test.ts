import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../contract/limits.ts'
import type { UpsertGroupJob, UpsertUserJob } from '../../server/writes/jobs.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { addSubscription } from '../support/deliveries.ts'

let server: TestServer

/** Makes this many users members of a group, without a request for each. */
async function fillGroup(id: string, members: number): Promise<void> {
  const { database, environmentId, client } = server
  await client.post('/groups', { id, attributes: { n: 0 } })
  await database.query(
    `insert into users (environment_id, id, attributes, created_at, name_key, signed_up_at_key, last_seen_at_key)
     select $1::int, $2::text || '-' || i, '{"n": 0}', now(), '', '', '' from generate_series(1, $3::int) as i`,
    [environmentId, id, members],
  )
  await database.query(
    `insert into group_memberships
       (environment_id, user_id, group_id, id, attributes, created_at, user_created_at, group_created_at)
     select $1::int, member.id, $2::text, gen_random_uuid(), '{}', now(), member.created_at, owner.created_at
       from users as member
       join groups as owner on owner.environment_id = member.environment_id and owner.id = $2::text
      where member.environment_id = $1::int and member.id like $2::text || '-%'`,
    [environmentId, id],
  )
}

beforeAll(async () => {
  server = await startTestServer()
  await fillGroup('big', limits.expandedObjects + 1)
  await addSubscription(server.database, server.environmentId, 'http://127.0.0.1:1/')
})
afterAll(async () => await server.close())

/** Everything that a write could have left behind. */
async function stored(): Promise<unknown> {
  const { rows } = await server.database.pool.query(
    `select (select count(*)::int from users) as users, (select count(*)::int from groups) as groups,
            (select count(*)::int from group_memberships) as memberships, (select count(*)::int from events) as events,
            (select count(*)::int from event_definitions) as definitions,
            (select count(*)::int from webhook_notifications) as notifications,
            (select sum((attributes ->> 'n')::int)::int from users) as users_n,
            (select sum((attributes ->> 'n')::int)::int from groups) as groups_n`,
  )
  return rows[0]
}

describe('a write whose answer would expand too many objects', () => {
  it.each([
    ['of an existing user', '/users?expand=groups.users', { id: 'big-1', attributes: { n: { add: 1 } } }],
    ['of a new user', '/users?expand=groups.users', { id: 'new', attributes: { n: 1 }, groups: [{ id: 'big' }] }],
    [
      'of a new user with memberships',
      '/users?expand=memberships.group.users',
      { id: 'new', memberships: [{ group: { id: 'big' } }] },
    ],
    [
      'that prunes all but the group',
      '/users?expand=groups.users',
      { id: 'other', groups: [{ id: 'big' }], prune_memberships: true },
    ],
    ['of an existing group', '/groups?expand=users', { id: 'big', attributes: { n: { add: 1 } } }],
    ['of an event of the group', '/events?expand=group.users', { name: 'refused', group_id: 'big' }],
    ['of an event of a member', '/events?expand=user.groups.users', { name: 'refused', user_id: 'big-1' }],
  ])('%s is refused each time, and nothing of it is stored', async (_, path, body) => {
    const before = await stored()
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const answer = await server.client.post(path, body)
      expect([answer.status, answer.body.error.message]).toEqual([
        400,
        expect.stringContaining('more than 10,000 objects'),
      ])
    }
    expect(await stored()).toEqual(before)
  })

  it('is stored when it asks for no more than fits', async () => {
    const { client } = server
    const user = await client.post('/users?expand=groups', { id: 'fits', groups: [{ id: 'big' }] })
    expect(user.body.groups).toHaveLength(1)
    expect((await client.post('/groups?expand=users', { id: 'new group' })).body.users).toEqual([])
    const event = await client.post('/events?expand[]=user.groups&expand[]=group', {
      name: 'ok',
      user_id: 'fits',
      group_id: 'big',
    })
    expect(event.body.user.groups).toHaveLength(1)
    const pruned = await client.post('/users?expand=groups.users', { id: 'fits', groups: [], prune_memberships: true })
    expect([pruned.status, pruned.body.groups]).toEqual([200, []])
  })

  it('counts what the write itself adds and removes, to the last object', async () => {
    // One group and its members: 9,999 members and the group fit.
    await fillGroup('edge', limits.expandedObjects - 2)
    const join = (id: string) => server.client.post('/users?expand=groups.users', { id, groups: [{ id: 'edge' }] })
    const last = await join('last that fits')
    expect(last.body.groups[0].users).toHaveLength(limits.expandedObjects - 1)
    expect((await join('last that fits')).status).toBe(200)
    expect((await join('one too many')).status).toBe(400)
    expect((await server.client.get('/users/one too many'.replaceAll(' ', '%20'))).status).toBe(404)
  })

  it('that grows over the limit only after it was checked is stored, and answered without the expansion', async () => {
    const { services, client } = server
    const { commits, writes } = services
    await fillGroup('growing', limits.expandedObjects)
    const submit = commits.submit.bind(commits)
    const submitAndGrow: typeof commits.submit = async (work, environmentId, job) => {
      const written = await submit(work, environmentId, job)
      await submit(writes, environmentId, {
        ...(job as UpsertGroupJob),
        kind: 'user',
        id: 'latecomer',
        groups: [LATE],
        prune: false,
      } as UpsertUserJob)
      return written
    }
    commits.submit = submitAndGrow
    const answer = await client.post('/groups?expand=users', { id: 'growing', attributes: { n: 7 } })
    commits.submit = submit
    expect([answer.status, answer.body.attributes, answer.body.users]).toEqual([200, { n: 7 }, null])
    expect((await client.get('/groups/growing')).body.attributes).toEqual({ n: 7 })
  })
})

const LATE = { id: 'growing', operations: [], membershipOperations: [], groupPath: '', membershipPath: '' }
