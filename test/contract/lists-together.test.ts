import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/client.ts'
import type { Response } from '../support/requests.ts'

/**
 * Pages of one list that are requested at the same time are read by one statement; each is the same as when it is read
 * alone.
 */

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  const users = Array.from({ length: 120 }, (_, number) => ({
    type: 'user',
    body: {
      id: `u "${number}" \\ ü`,
      attributes: { name: `name ${number % 7}`, signed_up_at: new Date(number * 1e9).toISOString() },
      groups: [{ id: `g${number % 5}` }, { id: 'all' }],
    },
  }))
  for (const { body } of users) await server.client.post('/users', body)
  for (let number = 0; number < 60; number += 1) {
    const time = new Date(1.7e12 + ((number * 37) % 60) * 1_000).toISOString()
    await server.client.post('/events', { name: 'e', user_id: `u${number}`, time })
  }
})
afterAll(() => server.close())

const withoutPosition = ({ status, body }: Response) => ({ status, body })

it.each([
  '/users?limit=7',
  '/users?limit=7&order_by=-created_at',
  '/users?limit=7&order_by=attributes.name&expand=groups',
  '/users?limit=7&order_by[]=-attributes.name&order_by[]=attributes.signed_up_at',
  '/groups?limit=1&expand=memberships.user',
  '/events?limit=5',
  '/events?limit=5&order_by=time&expand=user',
  '/events?limit=5&order_by=-created_at',
])('every page of %s is the same together as alone', async (first) => {
  const paths = [first]
  const alone: Response[] = []
  for (let path: string | undefined = first; path; ) {
    const page = await server.client.get(path)
    alone.push(page)
    path = page.body.has_more ? (page.body.next_page_url as string).slice(server.url.length) : undefined
    if (path) paths.push(path)
  }
  // More statements than may run at the same time, also of a short list; an unknown parameter makes the requests
  // differ.
  const repeated = Array.from({ length: 40 }, (_, index) => index % paths.length)
  const together = await Promise.all(
    repeated.map((index, number) => server.client.get(`${paths[index] as string}&number=${number}`)),
  )
  const plain = (response: Response) => ({ ...withoutPosition(response).body, url: '', next_page_url: '' })
  expect(together.map(plain)).toEqual(repeated.map((index) => plain(alone[index] as Response)))
})
