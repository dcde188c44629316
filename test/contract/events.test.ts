import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/client.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => await server.close())

it('an event belongs to a user, a group or both, and creates neither', async () => {
  const { client } = server
  for (const owner of [{ user_id: 'nobody' }, { group_id: 'nothing' }, { user_id: 'nobody', group_id: 'nothing' }]) {
    const { status, body } = await client.post('/events?expand[]=user&expand[]=group', { name: 'seen', ...owner })
    expect(status).toBe(200)
    expect(body).toMatchObject({ user_id: null, group_id: null, user: null, group: null, name: 'seen', ...owner })
  }
  expect((await client.get('/users/nobody')).status).toBe(404)
  expect((await client.get('/groups/nothing')).status).toBe(404)
})

it('an event without user and group is refused', async () => {
  for (const owner of [{}, { user_id: null }, { user_id: null, group_id: null }]) {
    const { body } = await server.client.post('/events', { name: 'x', ...owner })
    expect(body.error).toMatchObject({
      code: 'invalid_params',
      message: 'user_id: one of user_id and group_id is required',
    })
  }
})

const track = async (time: unknown) => (await server.client.post('/events', { name: 'x', user_id: 'u', time })).body

it('time defaults to the time of receipt, and comes back as it was sent when that is RFC 3339', async () => {
  const before = Date.now()
  const body = await track(undefined)
  // The time is that of the database, which may be some milliseconds behind this process.
  expect(Date.parse(body.time)).toBeGreaterThan(before - 1_000)
  expect(body.created_at >= body.time).toBe(true)
  for (const time of [
    '2020-02-29T23:59:59.123456789+05:30',
    `2020-02-29T23:59:59.${'1'.repeat(40)}Z`,
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ])
    expect((await track(time)).time).toBe(time)
})

it('time in any other form of ISO 8601 comes back as RFC 3339', async () => {
  for (const [time, answered] of [
    ['2026-01-01T00:00-0800', '2026-01-01T00:00:00-08:00'],
    ['2026-01-03T09:30:00+02', '2026-01-03T09:30:00+02:00'],
    ['2026-01-03T09:30:00,5Z', '2026-01-03T09:30:00.5Z'],
    ['20260103T093000Z', '2026-01-03T09:30:00Z'],
    ['2026-01-03T24:00:00Z', '2026-01-04T00:00:00Z'],
    ['2016-12-31T23:59:60Z', '2016-12-31T23:59:60Z'],
    ['2026-01-03T09:30:00', '2026-01-03T09:30:00Z'],
    ['2026-01-03', '2026-01-03T00:00:00Z'],
  ] as const)
    expect([time, (await track(time)).time]).toEqual([time, answered])
})

it('an invalid time is refused, with the expected form', async () => {
  for (const time of ['yesterday', '', '2026-01', '1767432600', 1767432600, 1767432600000, true])
    expect((await track(time)).error.message).toBe('time: must be an ISO 8601 date-time such as 2026-01-03T09:30:00Z')
  for (const time of ['2026-02-30T00:00:00Z', '2026-02-30', '2026-01-01T24:00:01Z', '2026-01-01T12:30:60Z'])
    expect((await track(time)).error.message).toMatch(/^time: ".*" is a day or a time that does not exist; send/)
})

it('operations of an event apply to an empty object, and null is no attribute', async () => {
  const attributes = { a: { add: 2 }, b: { subtract: 3 }, c: { set_once: 'x' }, d: null, e: { set: true } }
  const { body } = await server.client.post('/events', { name: 'x', user_id: 'u', attributes })
  expect(body.attributes).toEqual({ a: 2, b: -3, c: 'x', e: true })
})

it('equal events are stored twice, with growing ids', async () => {
  const { client } = server
  const first = (await client.post('/events', { name: 'x', user_id: 'u' })).body
  const second = (await client.post('/events', { name: 'x', user_id: 'u' })).body
  expect(second.id > first.id).toBe(true)
})

it('an event with the user or group of another id is refused: the expanded object would be ignored', async () => {
  const owners = { user: { id: 'other', object: 'user' }, group: { id: 'other', object: 'group' } }
  const event = { name: 'owned', user_id: 'u', ...owners }
  const { status, body } = await server.client.post('/events', event)
  expect([status, body.error.message]).toEqual([
    400,
    'user.id: is not the id in user_id; group.id: is not the id in group_id',
  ])
})

it('an event that was read can be sent back, as a new one', async () => {
  const { client } = server
  const { body } = await client.post('/events', { name: 'x', user_id: 'u', attributes: { a: 1 } })
  const again = (await client.post('/events', body)).body
  expect({ ...again, id: body.id, created_at: body.created_at }).toEqual(body)
  expect(again.id).not.toBe(body.id)
})

it('events are deleted with their user and with their group', async () => {
  const { client, database, environmentId } = server
  await client.post('/events', { name: 'of_user', user_id: 'leaving' })
  await client.post('/events', { name: 'of_group', group_id: 'leaving' })
  await client.post('/events', { name: 'of_both', user_id: 'staying', group_id: 'leaving' })
  await client.post('/events', { name: 'of_another', user_id: 'staying' })
  await client.delete('/users/leaving')
  await client.delete('/groups/leaving')
  const rows = await database.query(
    "select name from events where environment_id = $1::int and name like 'of!_%' escape '!'",
    [environmentId],
  )
  expect(rows).toEqual([{ name: 'of_another' }])
})
