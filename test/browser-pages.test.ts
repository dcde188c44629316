import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from './support/client.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => await server.close())

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

it.each([
  ['/users', 401, 'This needs an API key'],
  ['/nothing', 401, 'This needs an API key'],
  ['/docs/nothing', 404, 'There is nothing here'],
  ['/users/%zz', 401, 'This needs an API key'],
])('a browser at %s gets a small page that leads on', async (path, status, title) => {
  const response = await fetch(server.url + path, { headers: BROWSER })
  const html = await response.text()
  expect([response.status, response.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8'])
  expect(html).toContain(`<h1>${title}</h1>`)
  expect(html).toContain(response.headers.get('request-id'))
  for (const link of ['href="/app/"', 'href="/docs"', '/docs/errors#']) expect(html).toContain(link)
  // Without an icon of the page, browsers request /favicon.ico, which needs a key.
  const [, icon] = /<link rel="icon" href="([^"]*)"/.exec(html) ?? []
  expect((await fetch(server.url + icon)).headers.get('content-type')).toContain('image/svg+xml')
  expect(html).not.toMatch(/<script|<style|style=/)
  const policy = response.headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'")
  // The style sheet of the documents loads the fonts of the dashboard.
  expect(policy).toContain("font-src 'self'")
})

it('the page shows the requested path as escaped text', async () => {
  const response = await fetch(`${server.url}/docs/<script>alert(1)</script>`, { headers: BROWSER })
  expect(await response.text()).not.toMatch(/<script/i)
})

it.each([
  [{}],
  [{ accept: 'application/json' }],
  [{ accept: '*/*' }],
  [{ accept: 'text/html,application/json;q=0.9' }],
  [{ ...BROWSER, authorization: 'Bearer ak_nobody' }],
])('a client of the API with %j gets the envelope', async (headers) => {
  const response = await fetch(`${server.url}/users`, { headers: headers as Record<string, string> })
  expect([response.status, response.headers.get('content-type')]).toEqual([401, 'application/json; charset=utf-8'])
  expect(await response.json()).toMatchObject({ error: { code: 'invalid_api_key' } })
})
