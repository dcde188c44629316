import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/client.ts'
import { describeFinding, runFuzz } from './run.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => await server.close())

const COUNT = inject('isLong') ? 10_000 : 1_000

it(`${COUNT.toLocaleString('en')} hostile requests get no 5xx, no broken envelope, no undeclared key, and always an answer`, async () => {
  const seed = 1
  const { findings, statuses } = await runFuzz({
    url: server.url,
    port: server.port,
    key: server.key,
    seed,
    from: 0,
    count: COUNT,
    concurrency: 16,
  })
  expect(findings.map((finding) => describeFinding(seed, finding))).toEqual([])
  expect(statuses.get(200)).toBeGreaterThan(COUNT / 10)
  expect((await server.client.get('/users')).status).toBe(200)
})
