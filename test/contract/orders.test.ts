import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/client.ts'
import type { Json } from '../support/requests.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  const { client } = server
  // Created in this order, one after the other.
  await client.post('/users', { id: 'c', attributes: { name: 'b', signed_up_at: '2026-01-01T12:00:00+05:00' } })
  await client.post('/users', { id: 'a', attributes: { name: 'B', signed_up_at: '2026-01-01T08:00:00Z' } })
  await client.post('/users', { id: 'b', attributes: { name: 'b', signed_up_at: '2026-01-01T01:00:00-05:00' } })
  await client.post('/users', { id: 'd', attributes: { name: 5, last_seen_at: 'never' } })
  await client.post('/users', { id: 'e' })
})
afterAll(async () => await server.close())

const ids = async (query: string) =>
  (await server.client.get(`/users?${query}`)).body.data.map(({ id }: Json) => id).join('')

describe('users are ordered', () => {
  it.each([
    ['by creation, by default', '', 'cabde'],
    ['by creation, the latest first', 'order_by=-created_at', 'edbac'],
    [
      'by name, those without first, numbers before texts, then by code point, then by id',
      'order_by=attributes.name',
      'edabc',
    ],
    ['by name, the other way round', 'order_by=-attributes.name', 'cbade'],
    ['by instant, whatever offset it was written with', 'order_by=attributes.signed_up_at', 'debca'],
    ['by last_seen_at, also when it is no date-time', 'order_by=attributes.last_seen_at', 'abced'],
    ['by two fields', 'order_by[]=attributes.name&order_by[]=-created_at', 'edabc'],
    ['by two fields, both descending', 'order_by[]=-attributes.name&order_by[]=-created_at', 'bcade'],
    ['by a field that is named twice', 'order_by[]=-created_at&order_by[]=created_at', 'edbac'],
  ])('%s', async (_, query, expected) => {
    expect(await ids(query)).toBe(expected)
  })

  it('and a page at a time they come in the same order', async () => {
    for (const order of ['created_at', '-attributes.name', 'attributes.signed_up_at']) {
      const whole = await ids(`order_by=${order}`)
      let path = `/users?order_by=${order}&limit=2`
      let walked = ''
      for (let more = true; more; ) {
        const { body } = await server.client.get(path)
        walked += body.data.map(({ id }: Json) => id).join('')
        path = body.next_page_url.slice(server.url.length)
        more = body.has_more
      }
      expect(walked).toBe(whole)
      expect(await ids(`order_by=${order}&starting_after=${whole[1]}`)).toBe(whole.slice(2))
    }
  })
})

it.each([
  ['/users', 'created_at, attributes.signed_up_at, attributes.last_seen_at, attributes.name'],
  ['/groups', 'created_at, attributes.name'],
  ['/attribute_definitions', 'display_name, created_at, name'],
  ['/event_definitions', 'display_name, created_at, name'],
  ['/webhook_subscriptions', 'created_at, url'],
])('%s names the fields that it can be ordered by', async (path, fields) => {
  for (const field of ['id', 'attributes.other', '--created_at', '', 'constructor', "created_at'"]) {
    const { status, body } = await server.client.get(`${path}?order_by=${encodeURIComponent(field)}`)
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(/^order_by: /)])
    expect(body.error.message).toContain(fields)
  }
})
