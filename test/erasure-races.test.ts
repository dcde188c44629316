import { describe, expect, it, vi } from 'vitest'
import type { EnvironmentId } from '../server/database/database.ts'
import { tour } from './support/content.ts'
import { eventually } from './support/deliveries.ts'
import { countLockWaits } from './support/lock-waits.ts'
import { openPublicSide, Page } from './support/page.ts'
import { useTwoNodes } from './support/two-nodes.ts'

/** What is written while a user or a group is deleted, on another node or on the same. */

const MARKER = 'ada-lovelace-1815@example.com'

const two = useTwoNodes()

const waits = (count: number) =>
  eventually(`${count} wait`, async () => (await countLockWaits(two.test.database)) === count)

describe('a session that begins while its group is deleted', () => {
  /** A user whose page has claimed the content, with values of the group in the receipt. */
  async function claimFor(name: string) {
    const { client, test } = two
    const who = { attribute: 'tier', of: 'group', is: 'exists' } as const
    const { id: content } = (await client.post('/content', tour(name, { who }))).body
    expect((await client.post(`/content/${content}/publish`, {})).status).toBe(200)
    await client.post('/users', { id: name, groups: [{ id: name, attributes: { tier: MARKER } }] })
    const claim = { content: name, user_id: name, group_id: name, holder: 'h' }
    const { id } = (await client.post('/content_sessions', claim)).body
    const [row] = await test.database.query<{ environment: number }>(
      'select environment_id as environment from content_claims where id = $1::uuid',
      [id],
    )
    const reports = [{ sequence: 1, type: 'step_seen', step: 'hello' }]
    return { id, content, environment: row?.environment, seen: { holder: 'h', reports } }
  }

  const stored = (id: string) =>
    two.test.database.query('select group_id, receipt from content_sessions where id = $1::uuid', [id])

  it('is refused when the deletion is first', async () => {
    const { id, environment, seen } = await claimFor('deleted-first')
    const deleting = await two.test.database.begin()
    for (const [table, column] of [
      ['groups', 'id'],
      ['content_claims', 'group_id'],
    ])
      await deleting.query(`delete from ${table} where environment_id = $1::int and ${column} = $2::text`, [
        environment,
        'deleted-first',
      ])
    const answered = two.client.post(`/content_sessions/${id}/progress`, seen)
    await waits(1)
    await deleting.commit()
    expect((await answered).status).toBe(404)
    expect(await stored(id)).toEqual([])
  })

  it('loses its group when it is first', async () => {
    const { id, content, environment, seen } = await claimFor('started-first')
    // The start waits for this row when it has stored its session.
    const blocking = await two.test.database.begin()
    await blocking.query(
      'insert into content_states (environment_id, user_id, content_id, started) values ($1::int, $2::text, $3::uuid, 1)',
      [environment, 'started-first', content],
    )
    const answered = two.client.post(`/content_sessions/${id}/progress`, seen)
    await waits(1)
    const deleted = two.onSecondNode.delete('/groups/started-first')
    await waits(2)
    await blocking.abandon(new Error('not needed'))
    expect((await answered).status).toBe(200)
    expect((await deleted).status).toBe(200)
    expect(await stored(id)).toEqual([{ group_id: null, receipt: null }])
  })
})

/** Changes something after a request of the first node was looked at, and before its job begins. */
async function beforeNextJob<T>(change: () => Promise<unknown>, request: () => Promise<T>): Promise<T> {
  const { commits } = two.nodes[0].services
  const submit = commits.submit.bind(commits)
  const meanwhile = vi.spyOn(commits, 'submit').mockImplementationOnce(async (...job) => {
    await change()
    return await submit(...job)
  })
  const answer = await request()
  expect(meanwhile).toHaveBeenCalled()
  meanwhile.mockRestore()
  return answer
}

/** The rows of a table that have the marker. */
const withMarker = (table: string) =>
  two.test.database.query(`select 1 from ${table} as searched where strpos(to_jsonb(searched)::text, $1::text) > 0`, [
    MARKER,
  ])

describe('a value that is counted in memory', () => {
  const conflicts = async () => {
    await two.nodes[0].services.usage.flush()
    return await withMarker('attribute_conflicts')
  }

  it('is gone with its user, although another user or a group has its id by then', async () => {
    const { client, onSecondNode } = two
    await client.post('/users', {
      id: 'known',
      attributes: { age: 1 },
      groups: [{ id: 'known', attributes: { size: 1 } }],
    })
    await client.post('/groups', { id: 'shared' })
    for (const id of ['again', 'shared']) {
      await client.post('/users', { id, attributes: { age: MARKER } })
      await onSecondNode.delete(`/users/${id}`)
    }
    await onSecondNode.post('/users', { id: 'again' })
    await client.post('/groups', { id: 'known', attributes: { size: MARKER } })
    await onSecondNode.delete('/groups/known')
    expect(await conflicts()).toEqual([])
    await client.post('/users', { id: 'again', attributes: { age: MARKER } })
    expect(await conflicts()).toHaveLength(1)
    await client.delete('/users/again')
    expect(await conflicts()).toEqual([])
  })

  it('is gone with the events of its user, although there are later ones', async () => {
    const { client, onSecondNode } = two
    const event = (value: unknown) => ({ name: 'bought', user_id: 'tracked', attributes: { price: value } })
    await client.post('/events', event(1))
    await client.post('/events', event(MARKER))
    await onSecondNode.delete('/users/tracked')
    await onSecondNode.post('/events', event(2))
    expect(await conflicts()).toEqual([])
    await client.post('/events', event(MARKER))
    expect(await conflicts()).toHaveLength(1)
    await client.delete('/users/tracked')
    expect(await conflicts()).toEqual([])
  })

  it('is gone with the group of its event or membership', async () => {
    const { client, onSecondNode } = two
    const write = async (value: unknown) => {
      const group = { id: 'club' }
      await client.post('/users', { id: 'member', memberships: [{ group, attributes: { role: value } }] })
      for (const owner of [{ group_id: 'club' }, { group_id: 'club', user_id: 'member' }])
        await client.post('/events', {
          name: `met_${Object.keys(owner).length}`,
          ...owner,
          attributes: { place: value },
        })
      await client.post('/events', { name: 'renamed', group_id: 'club', attributes: { title: value } })
    }
    await write(1)
    await write(MARKER)
    await onSecondNode.delete('/groups/club')
    expect(await conflicts()).toEqual([])
    await write(MARKER)
    expect(await conflicts()).toHaveLength(3)
    await client.delete('/groups/club')
    expect(await conflicts()).toEqual([])
  })
})

it.each(['user', 'group'] as const)(
  'a claim has no values of a %s that was deleted and created again since the decision',
  async (of) => {
    const { client, onSecondNode } = two
    const name = `again-${of}`
    const who = { attribute: 'tier', of, is: 'exists' } as const
    const { id: content } = (await client.post('/content', tour(name, { who }))).body
    expect((await client.post(`/content/${content}/publish`, {})).status).toBe(200)
    const create = (tier: string) =>
      onSecondNode.post('/users', { id: name, attributes: { tier }, groups: [{ id: name, attributes: { tier } }] })
    await create(MARKER)
    const claim = { content: name, user_id: name, group_id: name, holder: 'h' }
    const { status } = await beforeNextJob(
      async () => {
        await onSecondNode.delete(`/${of}s/${name}`)
        await create('another')
      },
      () => client.post('/content_sessions', claim),
    )
    expect(status).toBe(200)
    expect(await withMarker('content_claims')).toEqual([])
  },
)

it('an event of a page is refused when its user is deleted before it is stored', async () => {
  const { client, onSecondNode, nodes, test } = two
  await client.post('/users', { id: 'leaving' })
  const [row] = await test.database.query<{ environment: EnvironmentId }>(
    "select environment_id as environment from users where id = 'leaving'",
    [],
  )
  const { token } = await openPublicSide(nodes[0].services, row?.environment as EnvironmentId)
  const page = new Page({ url: nodes[0].url, token })
  expect((await page.identify('leaving')).status).toBe(200)
  const event = { name: 'left', attributes: { why: MARKER } }
  expect((await page.call('track', event)).status).toBe(200)
  const { status, body } = await beforeNextJob(
    () => onSecondNode.delete('/users/leaving'),
    () => page.call('track', event),
  )
  expect([status, body.error?.code]).toEqual([401, 'visitor_expired'])
  expect(await withMarker('events')).toEqual([])
})
