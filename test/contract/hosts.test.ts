import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/client.ts'
import { exchangeBytes, exchangeRaw } from '../support/raw.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => await server.close())

const ask = async (hosts: string, path = '/users?limit=1', version = '1.1') =>
  await exchangeRaw(
    server.port,
    `GET ${path} HTTP/${version}\r\n${hosts}Authorization: Bearer ${server.key}\r\nConnection: close\r\n\r\n`,
  )

it('two Authorization headers are 400, the same or different ones', async () => {
  for (const more of [`authorization: Bearer ${server.key}`, 'Authorization: Bearer another']) {
    const { status, body } = await ask(`Host: a.example\r\n${more}\r\n`)
    expect([status, body.error.code]).toEqual([400, 'invalid_params'])
    expect(body.error.message).toBe('Authorization: is given more than once')
  }
})

describe('Host', () => {
  it.each([
    ['twice', 'Host: a.example\r\nHost: b.example\r\n'],
    ['twice the same', 'Host: a.example\r\nhost: a.example\r\n'],
    ['missing', ''],
    ['empty', 'Host:\r\n'],
    ['with a space', 'Host: a.example evil\r\n'],
    ['with a path', 'Host: a.example/evil\r\n'],
    ['with a user', 'Host: evil@a.example\r\n'],
    ['with a fragment', 'Host: a.example#\r\n'],
    ['with a quote', 'Host: a"onload="x\r\n'],
    ['with a port that is none', 'Host: a.example:x\r\n'],
    ['with a port beyond 65535', 'Host: a.example:65536\r\n'],
    ['half an IPv6 address', 'Host: [::1\r\n'],
    ['no IPv6 address', 'Host: [1:2]\r\n'],
    ['no IPv4 address', 'Host: 1.2.3.456\r\n'],
    ['with bytes outside of ASCII', 'Host: b\u00fccher.example\r\n'],
  ])('%s is 400, and no address is made of it', async (_name, hosts) => {
    for (const path of ['/users', '/nothing', '/healthz']) {
      const { status, body, text } = await ask(hosts, path)
      expect([path, status, body.error.code]).toEqual([path, 400, 'invalid_params'])
      expect(body.error.message).toContain('Host')
      expect(text).not.toMatch(/evil|a\.example|onload/)
      expect((await fetch(body.error.doc_url)).status).toBe(200)
    }
  })

  it.each(['a.example', 'a.example:8080', 'under_score.internal', '127.0.0.1', '[::1]:3000', 'A-B.C.'])(
    '%s is what addresses are made of',
    async (host) => {
      expect((await ask(`Host: ${host}\r\n`)).body.url).toBe(`http://${host}/users?limit=1`)
    },
  )

  it('may change on one connection, and is checked each time', async () => {
    const one = (host: string, more = '') =>
      `GET /users?limit=1 HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${server.key}\r\n${more}\r\n`
    const bytes = one('a.example') + one('b b') + one('c.example', 'Connection: close\r\n')
    const text = (await exchangeBytes(server.port, bytes)).toString()
    expect(text).toContain('http://a.example/users')
    expect(text).toContain('HTTP/1.1 400')
    expect(text).toContain('http://c.example/users')
  })

  it('is not needed by HTTP/1.0: URLs then have the address of the server', async () => {
    const { status, body } = await ask('', '/users?limit=1', '1.0')
    expect([status, body.url]).toEqual([200, `http://127.0.0.1:${server.port}/users?limit=1`])
  })
})
