import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/client.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => await server.close())

const ignored = async (method: string, path: string, body?: string) => {
  const { status, headers } = await server.client.send(method, path, body)
  return [status, headers['usher-ignored-parameters']]
}

it('parameters that an operation does not have are ignored, and named in a header', async () => {
  expect(await ignored('GET', '/users?limt=5&email=a')).toEqual([200, 'limt'])
  expect(await ignored('GET', '/users?Limit=5&order[]=x&order[]=y&__proto__=1')).toEqual([
    200,
    'Limit, order, __proto__',
  ])
  expect(await ignored('POST', '/users?expnad=groups', '{"id":"u"}')).toEqual([200, 'expnad'])
  expect(await ignored('DELETE', '/users/u?force=true')).toEqual([200, 'force'])
  expect(await ignored('GET', '/users/u?trace=1')).toEqual([404, 'trace'])
  expect(await ignored('GET', '/users?limit=0&limt=5')).toEqual([400, 'limt'])
})

it('an operator that a filter does not have is 400: without it the list would be another one', async () => {
  for (const [path, param] of [
    ['/events?time[after]=2026-01-03', 'time[after]'],
    ['/events?name[gt]=x', 'name[gt]'],
    ['/users?limit[lt]=5', 'limit[lt]'],
    ['/users?email[]=a&email[like]=b', 'email[like]'],
  ]) {
    const { status, body } = await server.client.get(path as string)
    expect([path, status, body.error.code, body.error.param]).toEqual([path, 400, 'invalid_params', param])
  }
  expect(await ignored('GET', '/users?time[after]=2026-01-03')).toEqual([200, 'time%5Bafter%5D'])
})

it('what is known is not named', async () => {
  expect(await ignored('GET', '/users')).toEqual([200, undefined])
  expect(await ignored('GET', '/users?limit=5&order_by[]=created_at&expand[0]=groups&expand=memberships&')).toEqual([
    200,
    undefined,
  ])
})

it('a hostile name cannot write headers, and many of them stay few', async () => {
  const name = 'a%0d%0aSet-Cookie:%20x%3d1%e2%82%ac,b'
  expect(await ignored('GET', `/users?${name}=1`)).toEqual([200, 'a%0D%0ASet-Cookie%3A%20x%3D1%E2%82%AC%2Cb'])
  const many = Array.from({ length: 99 }, (_, index) => `n${index}=1`).join('&')
  const [status, header] = await ignored('GET', `/users?${many}&${'x'.repeat(1_000)}=1`)
  expect([status, String(header).length < 3_000]).toEqual([200, true])
})

it('expand in the body of a POST counts as in the query', async () => {
  const { client } = server
  const groups = [{ id: 'g' }]
  const inBody = async (expand: unknown, query = '') =>
    (await client.post(`/users${query}`, { id: 'e', groups, expand })).body
  const inQuery = (await client.post('/users?expand[]=groups&expand[]=memberships.group', { id: 'e', groups })).body
  expect(inQuery.groups).toHaveLength(1)
  expect(await inBody(['groups', 'memberships.group'])).toEqual(inQuery)
  expect(await inBody('groups,memberships.group')).toEqual(inQuery)
  expect(await inBody('memberships.group', '?expand=groups')).toEqual(inQuery)
  expect((await inBody(null)).groups).toBeNull()
  expect((await inBody([])).groups).toBeNull()
  const event = (await client.post('/events', { name: 'x', user_id: 'e', expand: 'user' })).body
  expect(event.user.id).toBe('e')
  expect((await client.post('/groups', { id: 'g', expand: 'users' })).body.users).toHaveLength(1)
})

it('an expand in the body that is wrong is 400, and nothing is stored', async () => {
  for (const expand of ['nothing', ['groups', 'nothing'], 5, [5], {}]) {
    const { status, body } = await server.client.post('/users', { id: 'never', expand })
    expect([status, body.error.code, body.error.message]).toEqual([
      400,
      'invalid_params',
      expect.stringMatching(/^expand/),
    ])
  }
  expect((await server.client.get('/users/never')).status).toBe(404)
})
