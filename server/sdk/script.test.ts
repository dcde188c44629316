import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildScript } from '../../test/support/built.ts'
import { startTestServer, type TestServer } from '../../test/support/client.ts'

let server: TestServer
beforeAll(async () => {
  await buildScript()
  server = await startTestServer()
})
afterAll(async () => await server.close())

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${server.url}/sdk/${path}`, { headers })

it('the loader is served to pages of every origin, compressed, without a key, and asked for again after five minutes', async () => {
  const answer = await get('usher.js', { 'accept-encoding': 'br', origin: 'https://shop.example' })
  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'content-encoding': 'br',
    'content-type': 'text/javascript',
    'cache-control': 'public, max-age=300, stale-while-revalidate=86400',
    'x-content-type-options': 'nosniff',
  })
})

it.each(['', '2/', '5/'])(
  'the file that the loader names is kept forever, and has the bytes that the loader checks it by, in the folder "%s"',
  async (folder) => {
    const loader = await (await get('usher.js')).text()
    const [, file, integrity] = /"?core"?:\s*\[[`"']([\w.-]+)[`"'],\s*[`"']sha256-([^`"']+)/.exec(loader) ?? []
    const answer = await get(folder + (file as string))
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const digest = await crypto.subtle.digest('SHA-256', await answer.arrayBuffer())
    expect(Buffer.from(digest).toString('base64')).toBe(integrity)
  },
)

it('the page of the preview runs in a sandbox, in frames of the dashboard only', async () => {
  const policy = (await get('preview.html')).headers.get('content-security-policy')
  expect(policy).toContain("frame-ancestors 'self'; sandbox allow-scripts")
  // In Safari a frame without an origin has no 'self'.
  expect(policy).toContain(`script-src 'self' ${server.url};`)
  expect(policy).not.toContain('unsafe')
})

it.each([
  'missing.js',
  '..%2f..%2fpackage.json',
  'core-00000000.js',
  '2/core-00000000.js',
  '2/preview.html',
  '22/usher.js',
])('%s is not found', async (path) => {
  const answer = await get(path)
  expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([
    404,
    'unknown_url',
  ])
})

it('under the open paths a wrong method and an unknown path are told without a key, in the envelope of every failure', async () => {
  for (const [method, path, status, allow] of [
    ['GET', '/sdk/decide', 405, 'OPTIONS, POST'],
    ['PUT', '/sdk/edit/draft/', 405, 'OPTIONS, POST'],
    ['POST', '/sdk/stream', 405, 'GET, OPTIONS'],
    ['DELETE', '/sdk/nothing/here', 404, null],
    ['GET', '/schemas/nothing.json', 404, null],
  ] as const) {
    const answer = await fetch(server.url + path, { method })
    const { error } = (await answer.json()) as { error: { request_id: string } }
    expect([path, answer.status, answer.headers.get('allow')]).toEqual([path, status, allow])
    expect(error.request_id).toBe(answer.headers.get('request-id'))
  }
})
