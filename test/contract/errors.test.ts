import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorCodes } from '../../contract/errors.ts'
import { startTestServer, type TestServer } from '../support/client.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => await server.close())

describe('param names the field that is wrong', () => {
  it.each([
    ['POST', '/users', { id: 'u', attributes: { seats: { add: 'x' } } }, 'attributes.seats.add'],
    ['POST', '/users', { id: 'u', attributes: { 'first name': [] } }, 'attributes.first name'],
    ['POST', '/users', { id: 'u', groups: [{ id: 'a' }, {}] }, 'groups[1].id'],
    ['POST', '/users', { id: 'u', atributes: {} }, 'atributes'],
    ['POST', '/users', { id: 'u', 'a: b': {} }, 'a: b'],
    ['POST', '/users', { id: 'u', attributes: { 'a.b': 1, 'c.d': 1 } }, 'attributes'],
    ['POST', '/users', { id: 'u', prune_memberships: true }, 'prune_memberships'],
    ['POST', '/events', { name: 'x' }, 'user_id'],
    ['GET', '/users?limit=0', undefined, 'limit'],
    ['GET', '/users?order_by=x', undefined, 'order_by'],
    ['GET', '/users?expand=x', undefined, 'expand'],
    ['GET', '/users?starting_after=nobody', undefined, 'starting_after'],
    ['POST', '/webhook_subscriptions', { url: 'ftp://x', topics: ['*'] }, 'url'],
    ['POST', '/webhook_subscriptions', { url: 'https://example.com', topics: ['x'] }, 'topics[0]'],
  ])('%s %s %j', async (method, path, body, param) => {
    const answer = await server.client.send(method, path, body && JSON.stringify(body))
    expect([answer.status, answer.body.error.param]).toEqual([400, param])
  })

  it('of what is stored: an add on a text', async () => {
    await server.client.post('/users', { id: 'text', attributes: { plan: 'pro' } })
    const { body } = await server.client.post('/users', { id: 'text', attributes: { plan: { add: 1 } } })
    expect(body.error.param).toBe('attributes.plan.add')
  })

  it('and is absent when there are several, or none', async () => {
    const { client } = server
    for (const { status, body } of [
      await client.post('/users', { id: '', attributes: 5 }),
      await client.send('POST', '/users', '[]'),
      await client.send('POST', '/users', '{'),
      await client.get('/users/nobody'),
      await client.get('/nothing'),
    ]) {
      expect(status).toBeGreaterThanOrEqual(400)
      expect(body.error).not.toHaveProperty('param')
    }
  })
})

it('doc_url points to the section of the error code', async () => {
  const { client, url } = server
  const page = String((await client.get('/docs/errors', { authorization: undefined })).body)
  for (const code of Object.keys(errorCodes)) expect(page).toContain(`id="${code}"`)
  for (const [path, code] of [
    ['/users?limit=0', 'invalid_params'],
    ['/users/nobody', 'not_found'],
    ['/nothing', 'unknown_url'],
  ])
    expect((await client.get(path as string)).body.error).toMatchObject({ code, doc_url: `${url}/docs/errors#${code}` })
})

it('expand names the paths that exist, whether a path is wrong or too long', async () => {
  const message = async (path: string) => (await server.client.get(path)).body.error.message
  expect(await message('/users?expand=group')).toBe(
    "expand: 'group' is not a path; a user can expand groups, memberships",
  )
  expect(await message('/users?expand=groups.users.groups.users.groups')).toBe(
    "expand: 'groups.users.groups.users.groups' has more than 4 levels; a user can expand groups, memberships; a group can expand memberships, users; a group_membership can expand group, user; an event can expand group, user",
  )
  const { body } = await server.client.post('/events?expand=users', { name: 'x', user_id: 'u' })
  expect(body.error.message).toBe("expand: 'users' is not a path; an event can expand group, user")
})

it.each(['.', '..'])('the id %s is refused with a reason', async (id) => {
  const { client } = server
  for (const { status, body } of [
    await client.post('/users', { id }),
    await client.post('/groups', { id }),
    await client.post('/events', { name: 'x', user_id: id }),
    await client.delete(`/group_memberships?user_id=${id}&group_id=g`),
    await client.delete(`/users/${id.replaceAll('.', '%2E')}`),
  ])
    expect([status, body.error.message]).toEqual([
      400,
      expect.stringMatching(/not \. or \.\., which no HTTP client can ask for$/),
    ])
})
