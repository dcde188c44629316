import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/client.ts'
import type { Json } from '../support/requests.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => await server.close())

const track = async (event: object) => (await server.client.post('/events', event)).body
const ids = (events: Json[]) => events.map(({ id }) => id)

async function walk(path: string): Promise<Json[]> {
  const found: Json[] = []
  for (let next = path; ; ) {
    const { status, body } = await server.client.get(next)
    expect([next, status]).toEqual([next, 200])
    found.push(...body.data)
    if (!body.has_more) return found
    next = body.next_page_url.slice(server.url.length)
  }
}

describe('an event', () => {
  it('is answered with the same bytes as by its POST, whatever its time and owner', async () => {
    const { client } = server
    for (const event of [
      { name: 'bytes', user_id: 'u' },
      { name: 'bytes', group_id: 'g"\\ü' },
      { name: '__proto__', user_id: 'u', group_id: 'g', attributes: { z: 1e-7, a: 'x', b: true, n: 12.5 } },
      { name: 'bytes', user_id: 'u', time: '2020-02-29T23:59:59.123456789+05:30' },
      { name: 'bytes', user_id: 'u', time: '2020-02-29T23:59:59Z' },
      { name: 'bytes', user_id: 'u', time: '2020-02-29T23:59:59.250Z' },
      { name: 'bytes', user_id: 'u', time: '20200229T2359+02' },
      { name: 'bytes', user_id: 'u', time: '0000-01-01T00:00:00.000Z' },
      { name: 'bytes', user_id: 'u', time: '0000-01-01T00:00:00+23:59' },
      { name: 'bytes', user_id: 'u', time: '0001-01-01T00:00:00.000Z' },
      { name: 'bytes', user_id: 'u', time: '9999-12-31T23:59:59-23:59' },
    ]) {
      const stored = await client.post('/events', event)
      expect([event, stored.status]).toEqual([event, 200])
      expect((await client.get(`/events/${stored.body.id}`)).text).toBe(stored.text)
      const listed = await client.get('/events?order_by=-created_at&limit=1')
      expect(listed.text).toContain(`"data":[${stored.text}]`)
    }
    expect((await client.get('/events?order_by=time&limit=100')).status).toBe(200)
  })

  it('shows its user and group when they are asked for', async () => {
    const { client } = server
    await client.post('/users', { id: 'known', groups: [{ id: 'team' }] })
    const { id } = await track({ name: 'expanded', user_id: 'known', group_id: 'nobody' })
    const { body } = await client.get(`/events/${id}?expand=user.groups,group`)
    expect([body.user.groups[0].id, body.group]).toEqual(['team', null])
    const listed = await client.get('/events?name=expanded&expand=user.memberships.group,group_id')
    expect(listed.body.data[0].user.memberships[0].group.id).toBe('team')
    expect((await client.get(`/events/${id}?expand=users`)).status).toBe(400)
  })

  it('that is not there is 404, whatever its id', async () => {
    for (const id of ['019b7a1e-2f00-7cc3-98c4-dc0c0c07398f', 'x', "' or true --", '%00', '🚀'])
      expect([id, (await server.client.get(`/events/${encodeURIComponent(id)}`)).status]).toEqual([id, 404])
    expect((await server.client.get('/events/%00')).status).toBe(400)
  })

  it('is deleted, and deleting it again answers the same', async () => {
    const { client } = server
    const { id } = await track({ name: 'deleted', user_id: 'u' })
    const kept = await track({ name: 'deleted', user_id: 'u' })
    const answers = await Promise.all([1, 2, 3].map(() => client.delete(`/events/${id}`)))
    for (const { status, body } of answers)
      expect([status, body]).toEqual([200, { id, object: 'event', deleted: true }])
    expect((await client.get(`/events/${id}`)).status).toBe(404)
    expect(ids(await walk('/events?name=deleted'))).toEqual([kept.id])
    expect((await client.delete('/events/never')).body).toEqual({ id: 'never', object: 'event', deleted: true })
  })

  it('of another environment is neither shown nor deleted', async () => {
    const { client, otherClient } = server
    const { id } = await track({ name: 'mine', user_id: 'u' })
    expect((await otherClient.get(`/events/${id}`)).status).toBe(404)
    expect((await otherClient.get('/events')).body.data).toEqual([])
    expect((await otherClient.get(`/events?starting_after=${id}`)).status).toBe(400)
    expect((await otherClient.delete(`/events/${id}`)).status).toBe(200)
    expect((await client.get(`/events/${id}`)).status).toBe(200)
  })
})

describe('the list of events', () => {
  const stored: Json[] = []
  beforeAll(async () => {
    const { client } = server
    for (let n = 0; n < 40; n += 1) {
      const owner =
        n % 3 === 0 ? { group_id: 'lg' } : n % 3 === 1 ? { user_id: 'lu' } : { user_id: 'lu', group_id: 'lg' }
      // Many share a time, and most times are not in the order of storing.
      const time = new Date(Date.UTC(2021, 0, 1 + ((n * 7) % 10))).toISOString()
      stored.push((await client.post('/events', { name: n % 4 === 0 ? 'l_rare' : 'l_often', time, ...owner })).body)
    }
  })

  const own = (event: Json) => event.user_id === 'lu' || event.group_id === 'lg'
  const sorted = (keep: (event: Json) => boolean, compare: (a: Json, b: Json) => number) =>
    ids(stored.filter(keep).toSorted(compare))
  const byTime = (a: Json, b: Json) => Date.parse(a.time) - Date.parse(b.time) || (a.id < b.id ? -1 : 1)
  const byId = (a: Json, b: Json) => (a.id < b.id ? -1 : 1)

  const cases: [string, (event: Json) => boolean][] = [
    ['user_id=lu', (event) => event.user_id === 'lu'],
    ['group_id=lg', (event) => event.group_id === 'lg'],
    ['user_id=lu&group_id=lg', (event) => event.user_id === 'lu' && event.group_id === 'lg'],
    ['name=l_rare', (event) => event.name === 'l_rare'],
    ['user_id=lu&name=l_rare', (event) => event.user_id === 'lu' && event.name === 'l_rare'],
    ['group_id=lg&name=l_often', (event) => event.group_id === 'lg' && event.name === 'l_often'],
    [
      'name=l_often&time[gte]=2021-01-03T00:00:00Z&time[lt]=2021-01-06',
      (event) => event.name === 'l_often' && event.time >= '2021-01-03' && event.time < '2021-01-06',
    ],
    [
      'time[gt]=2021-01-02T23:59:59.999Z&time[lte]=2021-01-03T23:59:59.999Z',
      (event) => event.time.startsWith('2021-01-03'),
    ],
    ['time[gte]=2021-01-03&time[lt]=2021-01-04T01:00:00%2B01:00', (event) => event.time.startsWith('2021-01-03')],
  ]
  const orders: [string, (a: Json, b: Json) => number][] = [
    ['', (a, b) => byTime(b, a)],
    ['&order_by=-time', (a, b) => byTime(b, a)],
    ['&order_by=time', byTime],
    ['&order_by=created_at', byId],
    ['&order_by=-created_at', (a, b) => byId(b, a)],
    ['&order_by=-time,created_at', (a, b) => Date.parse(b.time) - Date.parse(a.time) || byId(a, b)],
  ]

  it.each(
    cases.flatMap(([filter, keep]) => orders.map(([order, compare]) => [filter + order, keep, compare] as const)),
  )('%s has each of its events once, in order, three at a time', async (query, keep, compare) => {
    const found = await walk(`/events?limit=3&${query}`)
    expect(ids(found)).toEqual(sorted((event) => own(event) && keep(event), compare))
  })

  it('keeps its position when the last events of a page are deleted and others are stored', async () => {
    const { client } = server
    for (let n = 0; n < 9; n += 1) await track({ name: 'moving', user_id: 'm', time: `2022-01-0${n + 1}` })
    const first = (await client.get('/events?name=moving&limit=3&order_by=time')).body
    for (const { id } of first.data) await client.delete(`/events/${id}`)
    await track({ name: 'moving', user_id: 'm', time: '2021-12-31' })
    const rest = await walk(first.next_page_url.slice(server.url.length))
    expect(rest.map(({ time }) => time.slice(8, 10))).toEqual(['04', '05', '06', '07', '08', '09'])
    expect((await client.get(`/events?starting_after=${first.data[0].id}`)).body.error.message).toBe(
      `starting_after: Event with id '${first.data[0].id}' not found`,
    )
  })

  it('shows later events through next_page_url', async () => {
    const { client } = server
    await track({ name: 'tail', user_id: 't' })
    const { body } = await client.get('/events?name=tail&order_by=created_at')
    expect(body.has_more).toBe(false)
    const next = body.next_page_url.slice(server.url.length)
    expect((await client.get(next)).body.data).toEqual([])
    const event = await track({ name: 'tail', user_id: 't' })
    expect(ids((await client.get(next)).body.data)).toEqual([event.id])
  })

  it('does not show the events of a user or a group that was deleted, and shows those that come afterwards', async () => {
    const { client } = server
    for (const owner of [{ user_id: 'gone' }, { group_id: 'gone' }, { user_id: 'stays', group_id: 'gone' }])
      await track({ name: 'gone', ...owner })
    await client.delete('/users/gone')
    await client.delete('/groups/gone')
    for (const query of ['name=gone', 'user_id=gone', 'group_id=gone', 'user_id=stays'])
      expect([query, (await client.get(`/events?${query}`)).body.data]).toEqual([query, []])
    const again = await track({ name: 'gone', user_id: 'gone' })
    expect(ids((await client.get('/events?user_id=gone')).body.data)).toEqual([again.id])
  })

  it.each([
    ['order_by=name', 'order_by'],
    ['time[gte]=yesterday', 'time[gte]'],
    ['time=2021-01-03', 'time'],
    ['time[]=2021-01-03', 'time'],
    ['time[lt]=2026-02-30', 'time[lt]'],
    ['time[lt]=1767432600', 'time[lt]'],
    ['time[gte]=2021-01-01&time[gte]=2022-01-01', 'time[gte]'],
    ['limit=101', 'limit'],
    ['user_id=%00', 'user_id'],
    ['name=%00', 'name'],
    ['starting_after=x', 'starting_after'],
    ['expand=users', 'expand'],
  ])('refuses %s', async (query, param) => {
    const { status, body } = await server.client.get(`/events?${query}`)
    expect([status, body.error.param]).toEqual([400, param])
  })

  it('treats SQL and forged positions as plain values', async () => {
    const { client } = server
    for (const text of ["' or '1'='1", "'; drop table events; --", '$1', '\\'])
      for (const name of ['user_id', 'group_id', 'name'])
        expect((await client.get(`/events?${name}=${encodeURIComponent(text)}`)).body.data).toEqual([])
    const [{ id }] = stored as [Json]
    const forge = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
    for (const value of ['x', '1e300', '-999999999999999', '999999999999999', '', '1.5', 'infinity', '9'.repeat(400)]) {
      const query = `name=l_rare&order_by=-time&position=${forge('-time', value, id)}&starting_after=${id}`
      expect([value, (await client.get(`/events?${query}`)).status]).toEqual([value, 200])
    }
    const query = `order_by=created_at&position=${forge('created_at', 'x', id)}&starting_after=${id}`
    expect((await client.get(`/events?${query}`)).status).toBe(200)
  })
})
