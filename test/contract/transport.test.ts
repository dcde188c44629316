import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { readConfig } from '../../server/settings/config.ts'
import { makeAuthority, makeCertificate } from '../support/certificates.ts'
import { startTestServer, type TestServer } from '../support/client.ts'

let server: TestServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

it('a plain request on this machine is accepted', async () => {
  server = await startTestServer()
  const { client, url } = server
  expect((await client.get('/users')).body.url).toBe(`${url}/users?limit=10`)
})

it.each([
  { 'x-forwarded-for': '203.0.113.9' },
  { forwarded: 'for=203.0.113.9;proto=http' },
  { forwarded: 'proto=https' },
  { 'x-forwarded-host': 'api.example.com' },
  { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' },
])('a request that a proxy forwarded is not direct, and no untrusted proxy makes it https: %o', async (headers) => {
  server = await startTestServer()
  const { status, body } = await server.client.get('/users', headers)
  expect([status, body.error.code]).toEqual([400, 'https_required'])
  expect(body.error.doc_url).not.toContain('evil.example')
})

it('a trusted proxy that does not say https is refused', async () => {
  server = await startTestServer({ config: { trustedProxies: ['127.0.0.0/8'] } })
  const { status, body } = await server.client.get('/users', { 'x-forwarded-for': '203.0.113.9' })
  expect([status, body.error.code]).toEqual([400, 'https_required'])
})

it('USHER_REQUIRE_HTTPS=always refuses plain HTTP on this machine too, on every path and before the key is looked at', async () => {
  server = await startTestServer({ config: { requireHttps: 'always' } })
  for (const path of ['/users', '/nothing', '/docs', '/openapi.json', '/users/%zz']) {
    const { status, body } = await server.client.get(path, { authorization: undefined, 'x-forwarded-proto': 'https' })
    expect([path, status, body.error.code]).toEqual([path, 400, 'https_required'])
  }
})

it('a trusted proxy says whether the request came over https, and the last mark counts', async () => {
  server = await startTestServer({ config: { trustedProxies: ['127.0.0.0/8'] } })
  const { client } = server
  const status = async (proto: string) => (await client.get('/users', { 'x-forwarded-proto': proto })).status
  expect(await status('https')).toBe(200)
  expect(await status('http, https')).toBe(200)
  expect(await status('http')).toBe(400)
  expect(await status('https, http')).toBe(400)
  expect(await status('')).toBe(400)
  const { body } = await client.get('/users?limit=5', {
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'api.example.com',
  })
  expect(body.url).toBe('https://api.example.com/users?limit=5')
})

it('the configured base address is what url and next_page_url are built on', async () => {
  server = await startTestServer({ config: { baseUrl: 'https://usher.example.com/api' } })
  const { body } = await server.client.get(
    '/users?limit=3&email=a%26b&order_by[]=-created_at&order_by[]=attributes.name',
  )
  expect(body.url).toMatch(/^https:\/\/usher\.example\.com\/api\/users\?/)
  expect(Object.fromEntries(new URL(body.url).searchParams)).toMatchObject({ email: 'a&b', limit: '3' })
  expect((await server.client.get('/nothing')).body.error.doc_url).toBe(
    'https://usher.example.com/api/docs/errors#unknown_url',
  )
})

it('HTTPS works with a real certificate, also where plain HTTP is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'usher-tls-'))
  const authority = makeAuthority()
  const { certPem, keyPem } = makeCertificate({ names: ['localhost'], ips: ['127.0.0.1'], issuer: authority })
  const tls = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') }
  await Promise.all([writeFile(tls.certFile, certPem), writeFile(tls.keyFile, keyPem)])
  server = await startTestServer({ config: { tls, requireHttps: 'always' }, ca: authority.certPem })
  expect((await server.client.post('/users', { id: 'u' })).status).toBe(200)
  expect((await server.client.get('/users')).body.url).toBe(`${server.url}/users?limit=10`)
  expect(server.url).toMatch(/^https:/)
  await rm(folder, { recursive: true })
})

it('next_page_url carries every parameter, with starting_after last', async () => {
  server = await startTestServer()
  const { client, url } = server
  await client.post('/users', { id: 'a b', groups: [{ id: 'g' }] })
  await client.post('/users', { id: 'c', groups: [{ id: 'g' }] })
  const first = (await client.get('/users?limit=1&group_id=g&expand[]=groups&unknown=1')).body
  expect(first.has_more).toBe(true)
  expect(first.next_page_url).toMatch(/&starting_after=a(\+|%20)b$/)
  const second = (await client.get(first.next_page_url.slice(url.length))).body
  expect([second.data[0].id, second.data[0].groups.length, second.has_more]).toEqual(['c', 1, false])
  const third = (await client.get(second.next_page_url.slice(url.length))).body
  expect([third.data, third.has_more, third.next_page_url]).toEqual([[], false, third.url])
  const unknown = await client.get('/users?starting_after=nobody')
  expect(unknown.body.error.message).toBe("starting_after: User with id 'nobody' not found")
})

it('USHER_REQUIRE_HTTPS=never accepts plain HTTP from the networks it is for, also /metrics with its token, and from no other', async () => {
  const networks = Object.values(networkInterfaces()).flat()
  const address = networks.find((one) => one?.family === 'IPv4' && !one.internal)?.address ?? '127.0.0.1'
  const plain = { host: '0.0.0.0', metricsToken: 'token', requireHttps: 'never' as const }
  server = await startTestServer({ config: { ...plain, plainNetworks: [`${address}/32`] } })
  const ask = async (path: string, headers: Record<string, string>) =>
    (await fetch(`http://${address}:${server?.port}${path}`, { headers })).status
  const key = { authorization: `Bearer ${server.key}` }
  expect(await ask('/users', key)).toBe(200)
  expect(await ask('/users', {})).toBe(401)
  expect(await ask('/metrics', { authorization: 'Bearer token' })).toBe(200)
  await server.close()
  server = await startTestServer({ config: { ...plain, plainNetworks: ['10.255.255.254/32'] } })
  const stranger = address === '127.0.0.1' ? 200 : 400
  expect(await ask('/users', { authorization: `Bearer ${server.key}` })).toBe(stranger)
})

it('a proxy that marks a request as plain is believed, also on a private network', async () => {
  const config = { requireHttps: 'never' as const, plainNetworks: ['127.0.0.0/8'], trustedProxies: ['127.0.0.0/8'] }
  server = await startTestServer({ config })
  expect((await server.client.get('/users')).status).toBe(200)
  expect((await server.client.get('/users', { 'x-forwarded-proto': 'http' })).status).toBe(400)
})

it.each([
  [{ USHER_REQUIRE_HTTPS: 'never' }, 'needs USHER_PLAIN_HTTP_NETWORKS'],
  [{ USHER_PLAIN_HTTP_NETWORKS: '10.0.0.0/8' }, 'is for USHER_REQUIRE_HTTPS=never'],
  [{ USHER_REQUIRE_HTTPS: 'never', USHER_PLAIN_HTTP_NETWORKS: '0.0.0.0/0' }, '0.0.0.0/0 is not a private network'],
  [{ USHER_REQUIRE_HTTPS: 'never', USHER_PLAIN_HTTP_NETWORKS: '10.0.0.0/7' }, '10.0.0.0/7 is not a private network'],
  [{ USHER_REQUIRE_HTTPS: 'never', USHER_PLAIN_HTTP_NETWORKS: '8.8.8.8' }, '8.8.8.8 is not a private network'],
  [{ USHER_REQUIRE_HTTPS: 'never', USHER_PLAIN_HTTP_NETWORKS: '::/0' }, '::/0 is not a private network'],
])('%j is refused at start', (settings, message) => {
  expect(() => readConfig(settings)).toThrow(message)
})

it('a server may listen for a private network over plain HTTP when it is configured', () => {
  const settings = {
    HOST: '0.0.0.0',
    USHER_REQUIRE_HTTPS: 'never',
    USHER_PLAIN_HTTP_NETWORKS: '172.18.0.0/16, fd00::/8',
  }
  expect(readConfig(settings)).toMatchObject({ requireHttps: 'never', plainNetworks: ['172.18.0.0/16', 'fd00::/8'] })
})

it('a base URL with a name in another script is used in Punycode: it is sent in headers, which are ASCII', () => {
  const { baseUrl } = readConfig({ USHER_BASE_URL: 'https://пример.рф/usher/' })
  expect(baseUrl).toBe('https://xn--e1afmkfd.xn--p1ai/usher')
})
