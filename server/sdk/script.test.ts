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

it('the file that the loader names is kept forever, and has the bytes that the loader checks it by', async () => {
  const loader = await (await get('usher.js')).text()
  const [, file, integrity] = /"?core"?:\s*\[[`"']([\w.-]+)[`"'],\s*[`"']sha384-([^`"']+)/.exec(loader) ?? []
  const answer = await get(file as string)
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  const digest = await crypto.subtle.digest('SHA-384', await answer.arrayBuffer())
  expect(Buffer.from(digest).toString('base64')).toBe(integrity)
})

it('the page of the preview runs in a sandbox, in frames of the dashboard only', async () => {
  const policy = (await get('preview.html')).headers.get('content-security-policy')
  expect(policy).toContain("frame-ancestors 'self'; sandbox allow-scripts")
  expect(policy).toContain("script-src 'self'")
  expect(policy).not.toContain('unsafe')
})

it.each(['missing.js', '..%2f..%2fpackage.json', 'core-00000000.js'])('%s is not found', async (path) => {
  expect((await get(path)).status).toBe(404)
})
