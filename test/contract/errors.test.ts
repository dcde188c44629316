import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/client.ts'
import { exchangeRaw } from '../support/raw.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => await server.close())

const raw = async (head: string, body: string | Buffer = '', options = {}) =>
  await exchangeRaw(
    server.port,
    Buffer.concat([
      Buffer.from(`${head}\r\nHost: x\r\nAuthorization: Bearer ${server.key}\r\n`),
      Buffer.from('Connection: close\r\n\r\n'),
      Buffer.from(body),
    ]),
    options,
  )

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
      ['GET', '/events', 'POST'],
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

  it('with a control character in the id, or an empty one, are 400', async () => {
    for (const path of ['/users/%00', '/users/a%0Ab', '/groups/%7f', '/users/'])
      expect([path, (await server.client.get(path)).status]).toEqual([path, 400])
  })

  it('answer HEAD like GET, without the body', async () => {
    await server.client.post('/users', { id: 'head' })
    const { status, headers } = await server.client.send('HEAD', '/users/head')
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    expect((await server.client.send('HEAD', '/users/nobody')).status).toBe(404)
  })
})

describe('Accept', () => {
  it.each([
    '*/*',
    'application/*',
    'application/json',
    'application/json;q=0.1',
    'text/html, */*;q=0.1',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'text/html,application/json;q=0.9',
    '',
    'application/json;q=1;x=y',
  ])('%j is fine', async (accept) => {
    expect((await server.client.get('/users', { accept })).status).toBe(200)
  })

  it.each([
    'text/html',
    'application/xml',
    'text/*',
    'application/json;q=0',
    '*/*;q=0',
    'application/*;q=0.0',
    'image/png, text/plain',
    '*/*, application/json;q=0',
    'nonsense',
    'application/jsonx',
  ])('%j is 406', async (accept) => {
    const { status, body } = await server.client.get('/users', { accept })
    expect([status, body.error.code]).toEqual([406, 'not_acceptable'])
  })
})

describe('Content-Type', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json;charset=UTF-8',
  ])('%j is fine', async (type) => {
    expect((await server.client.post('/users', { id: 'u' }, { 'content-type': type })).status).toBe(200)
  })

  it.each([
    undefined,
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'json',
    '',
    'multipart/form-data; boundary=x',
    'text/json',
    'application/vnd.api+json',
  ])('%j of a POST is 415', async (type) => {
    const { status, body } = await server.client.post('/users', { id: 'u' }, { 'content-type': type })
    expect([status, body.error.code]).toEqual([415, 'unsupported_media_type'])
  })

  it('of a GET or DELETE without body is not looked at', async () => {
    const { client } = server
    for (const type of ['application/json', 'text/plain']) {
      expect((await client.get('/users', { 'content-type': type })).status).toBe(200)
      expect((await client.delete('/users/u', { 'content-type': type, 'content-length': '0' })).status).toBe(200)
    }
    expect((await client.send('DELETE', '/users/u', '{"a":1}')).status).toBe(200)
    expect((await client.send('DELETE', '/users/u', 'not json')).status).toBe(200)
  })
})

describe('Service-Version', () => {
  it('is 2020-01-03 or absent', async () => {
    expect((await server.client.get('/users', { 'service-version': '2020-01-03' })).status).toBe(200)
    for (const version of ['2020-01-04', 'latest', '', 'constructor', '2020-01-03, 2020-01-03']) {
      const { status, body } = await server.client.get('/users', { 'service-version': version })
      expect([status, body.error]).toMatchObject([
        400,
        { code: 'invalid_params', message: 'Service-Version: must be one of 2020-01-03, or absent' },
      ])
    }
  })
})

describe('bodies', () => {
  it.each([
    '',
    '{',
    '{"id":"u"',
    '{"id":"u"}x',
    "{'id':'u'}",
    '{"id":undefined}',
    '\ufeff{"id":"u"}',
    'NaN',
    '{"a":1,}',
    '['.repeat(100_000),
    Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  ])('that do not parse are 400 invalid_json (%#)', async (text) => {
    const { status, body } = await server.client.send('POST', '/users', text)
    expect([status, body.error.code]).toEqual([400, 'invalid_json'])
  })

  it.each(['[]', '"text"', '5', 'null', 'true', '[{"id":"u"}]'])(
    'that are not an object are 400 (%s)',
    async (text) => {
      const { status, body } = await server.client.send('POST', '/users', text)
      expect([status, body.error.code]).toEqual([400, 'invalid_params'])
    },
  )

  it('with a misspelt field are refused, and name it', async () => {
    for (const [path, body] of [
      ['/users', { id: 'm', atributes: {} }],
      ['/groups', { id: 'm', atributes: {} }],
      ['/events', { name: 'x', user_id: 'u', atributes: {} }],
      ['/users', { id: 'm', Id: 'x', atributes: {} }],
    ] as const) {
      const { status, body: answer } = await server.client.post(path, body)
      expect(status).toBe(400)
      expect(answer.error.message).toContain('atributes: is not a known field')
    }
    expect((await server.client.get('/users/m')).status).toBe(404)
  })

  it('that stop half way are answered with the envelope', async () => {
    const { status, body } = await raw(
      'POST /users HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 100',
      '{"id":',
      { halfClose: true },
    )
    expect([status, body.error.code]).toEqual([400, expect.stringMatching(/^invalid_(json|params)$/)])
  })

  it('whose chunks are garbage are answered with the envelope', async () => {
    const { status, body } = await raw(
      'POST /users HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked',
      'zz\r\n{"id"\r\n',
    )
    expect([status, body.error.code]).toEqual([400, expect.stringMatching(/^invalid_(json|params)$/)])
  })

  it('in chunks are read whole, and refused over 1 MiB', async () => {
    const head = 'POST /users HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked'
    expect((await raw(head, '5\r\n{"id"\r\n5\r\n:"u"}\r\n0\r\n\r\n')).status).toBe(200)
    const big = 'x'.repeat(1024 * 1024)
    const over = await raw(head, `${(big.length + 1).toString(16)}\r\n"${big}\r\n0\r\n\r\n`)
    expect([over.status, over.body.error.code]).toEqual([413, 'payload_too_large'])
  })
})

describe('what is hardly HTTP', () => {
  it('headers that are too large are 431', async () => {
    const { status, body } = await raw(`GET /users HTTP/1.1\r\nX-Large: ${'x'.repeat(100_000)}`)
    expect([status, body.error.code]).toEqual([431, 'headers_too_large'])
  })

  it.each([
    'nonsense\r\n\r\n',
    'GET /users HTTP/9.9\r\n\r\n',
    'GET /users HTTP/1.1\r\nBad Header: x\r\n\r\n',
    'GET /users HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n',
    'POST /users HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
    'GET /users HTTP/1.1\r\nConnection: close\r\n\r\n',
    'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /users/%zz HTTP/1.1\r\nHost: x\r\nExpect: nonsense\r\nConnection: close\r\n\r\n',
    '\u0016\u0003\u0001\u0000\u0000',
  ])('%j is answered with the envelope', async (bytes) => {
    const { status } = await exchangeRaw(server.port, bytes)
    expect(status).toBe(400)
  })
})
