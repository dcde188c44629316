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

describe('bodies', () => {
  it.each([
    '',
    '{',
    '{"id":"u"',
    '{"id":"u"}x',
    "{'id':'u'}",
    '{"id":undefined}',
    '\ufeff\ufeff{"id":"u"}',
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

  it.each([
    ['of a known length', 'Content-Length: 100', '{"id":'],
    ['in chunks', 'Transfer-Encoding: chunked', '6\r\n{"id":\r\n'],
    ['within a chunk', 'Transfer-Encoding: chunked', '60\r\n{"id":'],
    ['before their first byte', 'Content-Length: 100', ''],
  ])('that stop half way are not JSON: %s', async (_, length, sent) => {
    const head = `POST /users HTTP/1.1\r\nContent-Type: application/json\r\n${length}`
    const { status, body } = await raw(head, sent, { halfClose: true })
    expect([status, body.error.code]).toEqual([400, 'invalid_json'])
    expect(body.error.message).toContain('stops half way')
  })

  it('that never begin, since the headers stop half way, are not HTTP', async () => {
    const { status, body } = await exchangeRaw(server.port, Buffer.from('POST /users HTTP/1.1\r\nContent-Type: appl'), {
      halfClose: true,
    })
    expect([status, body.error.code]).toEqual([400, 'invalid_params'])
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

describe('malformed HTTP', () => {
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
    '\u0016\u0003\u0001\u0000\u0000',
  ])('%j is answered with the envelope', async (bytes) => {
    const { status } = await exchangeRaw(server.port, bytes)
    expect(status).toBe(400)
  })

  it('an unknown expectation is ignored', async () => {
    const head = 'GET /users/%zz HTTP/1.1\r\nHost: x\r\nExpect: nonsense\r\nConnection: close\r\n'
    expect((await exchangeRaw(server.port, `${head}\r\n`)).status).toBe(401)
    const withKey = `${head}Authorization: Bearer ${server.key}\r\n\r\n`
    expect((await exchangeRaw(server.port, withKey)).status).toBe(400)
  })
})
