import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Condition } from '../../contract/conditions/condition.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { type Browser, memberOf } from '../support/dashboard.ts'

const environment = 'production'
const plan: Condition = { attribute: 'plan', is: 'equals', value: 'growth' }
const seats: Condition = { attribute: 'seats', is: 'at_least', value: 5 }
const given = (key: string, condition: Condition = plan) =>
  ({ environment, key, name: `Named ${key}`, scope: 'user', condition }) as const

let server: TestServer
let member: Browser
let viewer: Browser
beforeAll(async () => {
  server = await startTestServer()
  ;[member, viewer] = [await memberOf(server, 'member'), await memberOf(server, 'viewer')]
  for (let n = 1; n <= 9; n++)
    await server.client.post('/users', {
      id: `u_${n}`,
      attributes: { name: `Person ${n}`, plan: n % 2 ? 'growth' : 'starter', seats: n },
    })
})
afterAll(async () => await server.close())

it('a member saves a segment, renames it without changing its condition, and deletes it', async () => {
  const { id, key, sentence } = await member.call('createSegment', given('growing'))
  expect([key, sentence]).toEqual(['growing', 'plan is "growth"'])
  const renamed = await member.call('updateSegment', { environment, segment_id: id, name: 'On growth' })
  expect(renamed).toMatchObject({ key: 'growing', name: 'On growth', condition: plan, used_by: [], is_live: false })
  expect(await viewer.call('listSegments', { environment })).toMatchObject({ data: [{ id, name: 'On growth' }] })
  await member.call('deleteSegment', { environment, segment_id: id })
  expect((await viewer.send('getSegment', { environment, segment_id: id })).status).toBe(404)
})

it('a new segment never replaces another one of its key, of which its page did not know', async () => {
  const [first, second] = await Promise.all([
    member.call('createSegment', given('same')),
    member.call('createSegment', given('same', seats)),
  ])
  expect([first.key, second.key].sort()).toEqual(['same', 'same-2'])
  expect([first.condition, second.condition]).toEqual([plan, seats])
  for (const { id } of [first, second]) await member.call('deleteSegment', { environment, segment_id: id })
})

it('of two members who change a segment, the second is told who changed it, and nothing is lost', async () => {
  const { id, updated_at: expected } = await member.call('createSegment', given('shared'))
  const sam = await memberOf(server, 'member', 'sam@example.com')
  const change = { environment, segment_id: id, expected }
  await sam.call('updateSegment', { ...change, condition: seats })
  const second = await member.send('updateSegment', { ...change, condition: { not: plan } })
  expect([second.status, second.text]).toEqual([
    409,
    expect.stringContaining('sam has changed the segment Named shared meanwhile.'),
  ])
  const now = await viewer.call('getSegment', { environment, segment_id: id })
  expect(now.condition).toEqual(seats)
  await member.call('updateSegment', { ...change, condition: plan, expected: now.updated_at })
  // Who names no time replaces whatever is there, as the API does.
  expect(await sam.call('updateSegment', { environment, segment_id: id, condition: seats })).toMatchObject({
    condition: seats,
  })
})

it('a segment that another uses says so, and is not deleted', async () => {
  const inner = await member.call('createSegment', given('inner'))
  await member.call('createSegment', given('outer', { segment: 'inner', is: 'in' }))
  const { used_by } = await viewer.call('getSegment', { environment, segment_id: inner.id })
  expect(used_by).toMatchObject([{ object: 'segment', key: 'outer', name: 'Named outer' }])
  expect((await member.send('deleteSegment', { environment, segment_id: inner.id })).code).toBe('in_use')
})

it('one that published content uses is changed with the right to publish only, also through another, and stays when another one of its key is created', async () => {
  const { id } = await member.call('createSegment', given('live'))
  await server.database.query(
    `insert into segment_uses (environment_id, segment, content)
     select id, 'live', 'tour' from environments where slug = $1::text`,
    [environment],
  )
  const change = { environment, segment_id: id, condition: seats }
  const { code, text } = await member.send('updateSegment', change)
  expect([code, text]).toEqual(['role_required', expect.stringContaining('the role admin')])
  expect(await member.call('createSegment', given('live', seats))).toMatchObject({ key: 'live-2', is_live: false })
  expect(await viewer.call('getSegment', { environment, segment_id: id })).toMatchObject({ condition: plan })
  const admin = await memberOf(server, 'admin')
  expect(await admin.call('updateSegment', change)).toMatchObject({ is_live: true, condition: seats })
  const within = await admin.call('createSegment', given('within-live'))
  const changeWithin = { environment, segment_id: within.id, condition: seats }
  await admin.call('updateSegment', { ...change, condition: { segment: 'within-live', is: 'in' } })
  expect((await member.send('updateSegment', changeWithin)).code).toBe('role_required')
  await admin.call('updateGuidance', { environment, members_may_publish: true })
  expect(await member.call('updateSegment', changeWithin)).toMatchObject({ condition: seats })
})

/** Another connection changes something about segments, and has not committed when the browser's change begins. */
async function besideAnother<T>(begin: () => Promise<T>, statement: string, values: unknown[]): Promise<T> {
  const { database, environmentId } = server
  const other = await database.pool.connect()
  try {
    await other.query('begin')
    await other.query('select from guidance where environment_id = $1::int for update', [environmentId])
    const waiting = begin()
    const waits = database.isDistributed
      ? `select from citus_lock_waits where blocked_statement like '%guidance%'`
      : `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%guidance%'`
    await expect.poll(async () => (await database.query(waits, [])).length).toBe(1)
    await other.query(statement, values)
    await other.query('commit')
    return await waiting
  } finally {
    other.release()
  }
}

it('the right to publish counts as it is when the change is made, not when it was asked for', async () => {
  const { database, environmentId } = server
  await database.query('update guidance set members_may_publish = false where environment_id = $1::int', [
    environmentId,
  ])
  const becomesLive = await besideAnother(
    () => member.send('createSegment', given('soon-live', seats)),
    `insert into segment_uses (environment_id, segment, content) values (${environmentId}, $1::text, 'tour')`,
    ['soon-live'],
  )
  expect(becomesLive.code).toBe('role_required')

  const admin = await memberOf(server, 'admin')
  const change = given('soon-live', seats)
  const losesRole = await besideAnother(
    () => admin.send('createSegment', change),
    `update members set role = 'member' where id = $1::uuid`,
    [(await admin.call('getSession', {})).member.id],
  )
  expect(losesRole.code).toBe('role_required')
  const removed = await memberOf(server, 'admin')
  const isRemoved = await besideAnother(
    () => removed.send('createSegment', change),
    'delete from members where id = $1::uuid',
    [(await removed.call('getSession', {})).member.id],
  )
  expect(isRemoved.status).toBe(401)
  const { data } = await viewer.call('listSegments', { environment })
  expect(data.map(({ key }) => key)).not.toContain('soon-live')
})

it('a rename keeps the condition that somebody else saves meanwhile', async () => {
  const { id } = await member.call('createSegment', given('renamed'))
  const renamed = await besideAnother(
    () => member.call('updateSegment', { environment, segment_id: id, name: 'New name' }),
    `update segments set condition = $1::text::jsonb where environment_id = ${server.environmentId} and key = 'renamed'`,
    [JSON.stringify(seats)],
  )
  expect(renamed).toMatchObject({ name: 'New name', condition: seats })
  const gone = await besideAnother(
    () => member.send('updateSegment', { environment, segment_id: id, name: 'Newer name' }),
    `delete from segments where environment_id = ${server.environmentId} and key = 'renamed'`,
    [],
  )
  expect(gone.status).toBe(404)
})

it('counts a condition and each of its lines, against all users', async () => {
  const counted = await viewer.call('countCondition', { environment, condition: { all: [plan, seats] } })
  expect(counted).toMatchObject({ count: 3, exact: true, margin: null })
  expect(counted.lines.map(({ path, count }) => [path, count])).toEqual([
    ['all[0]', 5],
    ['all[1]', 5],
  ])
})

it.each<Condition>([plan, { event: 'never', at_most: 0 }, { all: [plan, seats] }])(
  'the total of %j is that of the moment of the count, whatever the counters have lost',
  async (condition) => {
    const lost = 'update environment_totals set users = users - 5 where environment_id = $1::int'
    await server.database.query(lost, [server.environmentId])
    expect(await viewer.call('countCondition', { environment, condition, scope: 'user' })).toMatchObject({ total: 9 })
  },
)

it('samples some who fit, and some whom one line keeps out, each with the reason', async () => {
  const condition = { all: [plan, seats] }
  const { matches, misses } = await viewer.call('sampleCondition', { environment, condition, scope: 'user' })
  expect(matches.map(({ id }) => id).sort()).toEqual(['u_5', 'u_7', 'u_9'])
  expect(misses).toHaveLength(4)
  for (const { id, sentence } of misses) {
    expect(['u_1', 'u_3', 'u_6', 'u_8']).toContain(id)
    expect(sentence).toMatch(/needed$/)
  }
})

it('lists the segments of a user, those that the user is in first, with the reason', async () => {
  await member.call('createSegment', given('many-seats', seats))
  const { data } = await viewer.call('listSegmentsOf', { environment, scope: 'user', id: 'u_9' })
  expect(data.find(({ key }) => key === 'many-seats')).toMatchObject({ is_in: true })
  const other = await viewer.call('listSegmentsOf', { environment, scope: 'user', id: 'u_2' })
  expect(other.data.find(({ key }) => key === 'many-seats')).toMatchObject({
    is_in: false,
    sentence: 'seats is 2, at least 5 are needed',
  })
  expect((await viewer.send('listSegmentsOf', { environment, scope: 'user', id: 'nobody' })).status).toBe(404)
})

it('search and the list of content read the names of segments, and not their conditions', async () => {
  const values = Array.from({ length: 100 }, (_, n) => `${n} ${'x'.repeat(500)}`)
  const { id } = await member.call('createSegment', given('long', { attribute: 'plan', is: 'one_of', values }))
  const spy = vi.spyOn(server.database, 'query')
  const { segments } = await viewer.call('search', { environment, q: 'named long' })
  await viewer.call('listContent', { environment })
  const read = JSON.stringify(await Promise.all(spy.mock.results.map(({ value }) => value)))
  spy.mockRestore()
  expect(segments).toEqual([{ id, name: 'Named long' }])
  expect(read.length).toBeLessThan(50_000)
  await member.call('deleteSegment', { environment, segment_id: id })
})

it('a segment is told without the sentences of the others', async () => {
  const [one, other] = [
    await member.call('createSegment', given('one')),
    await member.call('createSegment', given('other')),
  ]
  const store = (condition: object) =>
    server.database.query('update segments set condition = $1::text where id = $2::uuid', [
      JSON.stringify(condition),
      other.id,
    ])
  // Of a sentence that cannot be told.
  await store({ event: 'seen', within: {} })
  expect((await viewer.send('getSegment', { environment, segment_id: other.id })).status).toBe(500)
  expect(await viewer.call('getSegment', { environment, segment_id: one.id })).toMatchObject({
    sentence: 'plan is "growth"',
  })
  await store(plan)
  for (const { id } of [one, other]) await member.call('deleteSegment', { environment, segment_id: id })
})
