import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/client.ts'
import { exchangeBytes } from '../support/raw.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => await server.close())

describe('paths', () => {
  it('that do not exist are 404 unknown_url', async () => {
    for (const path of [
      '/',
      '/nothing',
      '/users/a/b',
      '/user',
      '//users',
      '/constructor',
      '/__proto__',
      '/users/u/..',
      '/groups//',
    ])
      expect([path, (await server.client.get(path)).body.error.code]).toEqual([path, 'unknown_url'])
  })

  it('that exist with another method are 405, with Allow', async () => {
    const { client } = server
    for (const [method, path, allow] of [
      ['DELETE', '/users', 'GET, HEAD, POST'],
      ['PATCH', '/users/u', 'DELETE, GET, HEAD'],
      ['PUT', '/events', 'GET, HEAD, POST'],
      ['GET', '/batch', 'POST'],
      ['GET', '/group_memberships', 'DELETE'],
      ['PUT', '/groups/g', 'DELETE, GET, HEAD'],
      ['POST', '/attribute_definitions', 'GET, HEAD'],
      ['OPTIONS', '/users', 'GET, HEAD, POST'],
      ['TRACE', '/users', 'GET, HEAD, POST'],
      ['PROPFIND', '/users', 'GET, HEAD, POST'],
    ] as const) {
      const { status, headers, body } = await client.send(method, path)
      expect([method, path, status, headers.allow]).toEqual([method, path, 405, allow])
      expect(body.error.code).toBe('method_not_allowed')
    }
  })

  it('that are malformed are 400, and no failure shows a stack, SQL or a file', async () => {
    for (const path of ['/users/%zz', '/users/%', '/users/%c3%28', '/users/%ff', '/%zz', '/groups/%e0%a4%a']) {
      const { status, body } = await server.client.get(path)
      expect([path, status, body.error.code]).toEqual([path, 400, 'invalid_params'])
      expect(JSON.stringify(body)).not.toMatch(/node_modules|at \w+ \(|select |\.ts/)
    }
    const long = await server.client.get(`/users/${'%41'.repeat(4_000)}`)
    expect([long.status, long.body.error.code]).toEqual([400, 'invalid_params'])
  })

  it('with a control character in the id are 400', async () => {
    for (const path of ['/users/%00', '/users/a%0Ab', '/groups/%7f'])
      expect([path, (await server.client.get(path)).status]).toEqual([path, 400])
  })

  it('with one trailing slash are the same as without; a double slash is 404', async () => {
    const { client } = server
    await client.post('/users/', { id: 'slash' })
    expect((await client.get('/users/slash/')).body).toMatchObject({ object: 'user', id: 'slash' })
    const { status, body } = await client.get('/users/?limit=1')
    expect([status, body.url]).toEqual([200, `${server.url}/users?limit=1`])
    expect((await client.delete('/users/slash/')).body).toEqual({ id: 'slash', object: 'user', deleted: true })
    for (const path of ['/users//', '/users//slash', '/users/slash//', '//users', '/docs//'])
      expect([path, (await client.get(path)).body.error.code]).toEqual([path, 'unknown_url'])
  })

  it('without a key are 401, whether they exist or not; the open ones need none', async () => {
    const status = async (method: string, path: string) =>
      (await server.client.send(method, path, undefined, { authorization: undefined })).status
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/nothing'],
      ['PUT', '/users'],
      ['PATCH', '/users/u'],
      ['GET', '/users//'],
      ['GET', '/users/%zz'],
      ['BREW', '/users'],
    ] as const)
      expect([method, path, await status(method, path)]).toEqual([method, path, method === 'BREW' ? 400 : 401])
    for (const path of ['/healthz', '/readyz', '/docs', '/openapi.json', '/docs/'])
      expect([path, await status('GET', path)]).toEqual([path, 200])
    expect(await status('POST', '/docs')).toBe(405)
  })

  it('are the same however they are percent-encoded, and as a whole address', async () => {
    await server.client.post('/users', { id: 'a/b' })
    for (const target of [
      '/users/a%2Fb',
      '/us%65rs/%61%2fb',
      '/users/a%2Fb#part',
      '/users/a%2Fb?',
      `${server.url}/users/a%2Fb`,
    ]) {
      const head = `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.key}\r\nConnection: close\r\n\r\n`
      const answer = await exchangeBytes(server.port, head)
      expect([target, answer.toString().includes('"id":"a/b"')]).toEqual([target, true])
    }
  })

  it('answer HEAD like GET, without the body', async () => {
    await server.client.post('/users', { id: 'head' })
    const { status, headers } = await server.client.send('HEAD', '/users/head')
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    expect((await server.client.send('HEAD', '/users/nobody')).status).toBe(404)
  })
})
