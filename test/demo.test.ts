import { get } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { insertEnvironment, listEnvironments } from '../server/accounts/environment-queries.ts'
import { startTestServer, type TestServer } from './support/client.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const names = async (of = server) => (await listEnvironments(of.database)).map(({ name }) => name).sort()

async function post(
  path: string,
  body: object = {},
  { of = server, ...headers }: { of?: TestServer; origin?: string } = {},
) {
  const response = await fetch(`${of.url}/demo/api/${path}`, {
    method: 'POST',
    headers: { origin: of.url, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

it('makes an environment of its own when it is opened, once, and touches no other', async () => {
  const page = await fetch(`${server.url}/demo`)
  expect(page.status).toBe(200)
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'; style-src 'self';")
  expect(await names()).toEqual(['Production', 'Staging'])
  const answers = await Promise.all([post('open'), post('open'), post('open')])
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  expect(answers[0]?.body).toEqual({ token: expect.stringMatching(/^pk_/) })
  expect(await names()).toEqual(['Demo', 'Production', 'Staging'])
  expect((await server.client.get('/users')).body.data).toEqual([])
})

it('tells and signs for users of the demo only, and for its own page only', async () => {
  await post('open')
  const { status, body } = await post('view', { user_id: 'demo-ada' })
  expect([status, body]).toEqual([200, { attributes: null, events: [], content: [], receipts: [] }])
  expect((await post('sign', { user_id: 'demo-ada' })).body).toEqual({
    signature: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  for (const path of ['view', 'sign']) {
    expect((await post(path, { user_id: 'u_1' })).status).toBe(400)
    expect((await post(path, { user_id: 'demo-ada' }, { origin: 'https://elsewhere.example' })).status).toBe(403)
  }
})

it('is not there for a request that was forwarded, or that names another host', async () => {
  const statusOf = async (headers: Record<string, string>) =>
    await new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port: server.port, path: '/demo', headers }, (response) => {
        resolve(response.resume().statusCode)
      }).on('error', reject)
    })
  const host = `localhost:${server.port}`
  expect(await Promise.all([{ host }, { host: 'rebound.example' }, { host, via: '1.1 proxy' }].map(statusOf))).toEqual([
    200, 404, 400,
  ])
})

it.each([
  [{ isPublic: true }, 401],
  [{ demo: 'off' as const }, 401],
  [{ isPublic: true, demo: 'on' as const }, 200],
])('with %o it answers %i', async (config, status) => {
  const other = await startTestServer({ config })
  try {
    expect((await fetch(`${other.url}/demo`)).status).toBe(status)
  } finally {
    await other.close()
  }
})

it('does not use an environment of that name that somebody else has made', async () => {
  const other = await startTestServer()
  try {
    const [first] = await listEnvironments(other.database)
    await insertEnvironment(other.database, first?.account_id ?? 0, 'Demo', new Date().toISOString())
    expect((await post('open', {}, { of: other })).status).toBe(409)
    expect(await names(other)).toEqual(['Demo', 'Production', 'Staging'])
  } finally {
    await other.close()
  }
})
