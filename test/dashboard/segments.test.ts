import { afterAll, beforeAll, expect, it } from 'vitest'
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

it('a segment that another uses says so, and is not deleted', async () => {
  const inner = await member.call('createSegment', given('inner'))
  await member.call('createSegment', given('outer', { segment: 'inner', is: 'in' }))
  const { used_by } = await viewer.call('getSegment', { environment, segment_id: inner.id })
  expect(used_by).toMatchObject([{ object: 'segment', key: 'outer', name: 'Named outer' }])
  expect((await member.send('deleteSegment', { environment, segment_id: inner.id })).code).toBe('in_use')
})

it('one that published content uses is changed with the right to publish only, also under its key and through another', async () => {
  const { id } = await member.call('createSegment', given('live'))
  await server.database.query(
    `insert into segment_uses (environment_id, segment, content)
     select id, 'live', 'tour' from environments where slug = $1::text`,
    [environment],
  )
  const change = { environment, segment_id: id, condition: seats }
  const { code, text } = await member.send('updateSegment', change)
  expect([code, text]).toEqual(['role_required', expect.stringContaining('the role admin')])
  expect((await member.send('createSegment', given('live', seats))).code).toBe('role_required')
  const admin = await memberOf(server, 'admin')
  expect(await admin.call('updateSegment', change)).toMatchObject({ is_live: true, condition: seats })
  await admin.call('createSegment', given('within-live'))
  await admin.call('updateSegment', { ...change, condition: { segment: 'within-live', is: 'in' } })
  expect((await member.send('createSegment', given('within-live', seats))).code).toBe('role_required')
  await admin.call('updateGuidance', { environment, members_may_publish: true })
  expect(await member.call('createSegment', given('within-live', seats))).toMatchObject({ condition: seats })
})

it('counts a condition and each of its lines, against all users', async () => {
  const counted = await viewer.call('countCondition', { environment, condition: { all: [plan, seats] } })
  expect(counted).toMatchObject({ count: 3, exact: true, margin: null })
  expect(counted.lines.map(({ path, count }) => [path, count])).toEqual([
    ['all[0]', 5],
    ['all[1]', 5],
  ])
})

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
