import { get } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { createKeys, startService, type TestService } from '../../test/support/service.ts'

let test: TestDatabase
let service: TestService
beforeAll(async () => {
  test = await createTestDatabase()
  service = await startService(test, {
    USHER_METRICS_TOKEN: 'let-me-see',
    USHER_REQUIRE_HTTPS: 'remote',
    USHER_TRUSTED_PROXIES: '127.0.0.1',
  })
})
afterAll(async () => {
  await service.close()
  await test.close()
})

const ask = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers })

it('reports that the process is alive and ready', async () => {
  expect(await (await ask('/healthz')).json()).toEqual({ status: 'ok' })
  const ready = await ask('/readyz')
  expect(ready.status).toBe(200)
  const checks = { database: 'ok', migrations: 'ok', queue: 'ok', process: 'ok' }
  expect(await ready.json()).toEqual({ status: 'ok', checks })
})

it('compresses the metrics for a scraper that asks for it, and for no other', async () => {
  const authorization = 'Bearer let-me-see'
  const packed = await ask('/metrics', { authorization, 'accept-encoding': 'gzip' })
  const plain = await ask('/metrics', { authorization, 'accept-encoding': 'identity' })
  expect(packed.headers.get('content-encoding')).toBe('gzip')
  expect(await packed.text()).toContain('# TYPE usher_')
  expect(plain.headers.get('content-encoding')).toBe(null)
})

it('answers health checks over plain HTTP where everything else must be HTTPS', async () => {
  const strict = await startService(test, { USHER_REQUIRE_HTTPS: 'always' })
  const status = async (path: string) => (await fetch(strict.url + path)).status
  expect([await status('/healthz'), await status('/readyz'), await status('/metrics')]).toEqual([200, 200, 400])
  await strict.close()
})

it('is not ready on a database that has to be migrated first, and reports this', async () => {
  const behind = await createTestDatabase()
  const [last] = await behind.database.query<{ version: number }>(
    'delete from schema_migrations where version = (select max(version) from schema_migrations) returning version',
    [],
  )
  const [before] = await behind.database.query<{ version: number }>(
    'select max(version) as version from schema_migrations',
    [],
  )
  const node = await startService(behind)
  const response = await fetch(`${node.url}/readyz`)
  expect(response.status).toBe(503)
  expect((await response.json()) as object).toMatchObject({
    status: 'unavailable',
    checks: { database: 'ok', migrations: `at version ${before?.version}, ${last?.version} is needed` },
  })
  await node.close()
  await behind.close()
})

it('is alive but not ready without its database', async () => {
  const lost = await createTestDatabase()
  const node = await startService(lost)
  await lost.close()
  const response = await fetch(`${node.url}/readyz`)
  expect(response.status).toBe(503)
  expect(await response.json()).toMatchObject({ checks: { database: 'the database does not answer' } })
  expect((await fetch(`${node.url}/healthz`)).status).toBe(200)
  await node.close()
})

it('shows the metrics on this machine and with the token only', async () => {
  const forwarded = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' }
  const status = async (headers: Record<string, string>) => (await ask('/metrics', headers)).status
  expect(await status({})).toBe(200)
  expect(await status({ ...forwarded, authorization: 'Bearer let-me-see' })).toBe(200)
  expect(await status({ ...forwarded, authorization: 'Bearer let-me-in' })).toBe(401)
  expect(await status({ via: '1.1 proxy', 'x-forwarded-proto': 'https' })).toBe(401)
  const refused = await ask('/metrics', forwarded)
  expect(await refused.json()).toMatchObject({ error: { code: 'invalid_api_key', request_id: expect.any(String) } })
})

it('counts responses by operation, status and code, and what the parts of the server say', async () => {
  const [key] = await createKeys(test.database, 'self_hosted', ['Production'])
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'seen', user_id: 'u' })
  for (let event = 0; event < 3; event += 1) await fetch(`${service.url}/events`, { method: 'POST', headers, body })
  await ask('/users/nobody', { authorization: `Bearer ${key}` })
  await ask('/users/nobody')
  await ask('/nowhere', { authorization: `Bearer ${key}` })
  service.services.metrics.watchWebhooks({
    delivery: () => ({
      inFlight: 2,
      sent: 40,
      failed: 3,
      broughtBack: 5,
      clockAheadMs: 1_500,
      endpoints: { wentDown: 2, recovered: 1 },
    }),
    backlog: async () => ({ waiting: 7, oldestMs: 12_500, downEndpoints: 1 }),
  })
  const response = await ask('/metrics')
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const lines = (await response.text()).split('\n')
  expect(lines).toContainEqual(expect.stringMatching(/^usher_table_bytes\{table="events"\} [1-9]\d+$/))
  expect(lines).toEqual(
    expect.arrayContaining([
      'usher_http_requests_total{operation="trackEvent",status="200",code=""} 3',
      'usher_http_requests_total{operation="getUser",status="404",code="not_found"} 1',
      'usher_http_requests_total{operation="getUser",status="401",code="invalid_api_key"} 1',
      'usher_http_requests_total{operation="unknown",status="404",code="unknown_url"} 1',
      'usher_http_request_seconds_count{operation="trackEvent"} 3',
      'usher_commit_batch_jobs_sum 3',
      'usher_commit_queue_jobs 0',
      'usher_rate_limit_refusals_total 0',
      'usher_waiting_requests 0',
      'usher_webhook_deliveries_waiting 7',
      'usher_webhook_attempts_failed_total 3',
      'usher_webhook_oldest_undelivered_seconds 12.5',
      'usher_webhook_endpoints_down 1',
      'usher_webhook_deliveries_brought_back_total 5',
      'usher_clock_ahead_seconds 1.5',
      'usher_webhook_endpoint_outages_total 2',
    ]),
  )
  expect(lines.some((line) => line.startsWith('process_cpu_seconds_total '))).toBe(true)
})

it('leaves out delivery figures that cannot be read, and shows the rest', async () => {
  service.services.metrics.watchWebhooks({
    delivery: () => ({
      inFlight: 0,
      sent: 40,
      failed: 3,
      broughtBack: 5,
      clockAheadMs: 1_500,
      endpoints: { wentDown: 2, recovered: 1 },
    }),
    backlog: () => Promise.reject(new Error('unreachable')),
  })
  const text = await (await ask('/metrics')).text()
  expect(text).not.toMatch(/^usher_webhook_deliveries_waiting/m)
  expect(text).toMatch(/^usher_webhook_attempts_sent_total 40$/m)
  expect(text).toMatch(/^usher_build_info\{version="[\d.]+",node="24/m)
})

it('shows no metrics on this machine to a page that came here under another name', async () => {
  const { port } = new URL(service.url)
  const statusOf = async (host: string) =>
    await new Promise((resolve) => {
      get({ host: '127.0.0.1', port, path: '/metrics', headers: { host } }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
    })
  const hosts = [
    'rebound.example',
    `rebound.example:${port}`,
    `localhost:${port}`,
    `127.0.0.1:${port}`,
    `[::1]:${port}`,
  ]
  expect(await Promise.all(hosts.map(statusOf))).toEqual([401, 401, 200, 200, 200])
})

it('answers of the API are not stored and not sniffed, and under HTTPS a browser stays with HTTPS', async () => {
  const names = ['cache-control', 'x-content-type-options', 'strict-transport-security']
  const headersOf = async (path: string, headers: Record<string, string> = {}) => {
    const response = await ask(path, headers)
    return names.map((name) => response.headers.get(name))
  }
  expect(await headersOf('/users')).toEqual(['no-store', 'nosniff', null])
  expect(await headersOf('/users', { 'x-forwarded-proto': 'https' })).toEqual([
    'no-store',
    'nosniff',
    'max-age=31536000',
  ])
})

it.each(['/app/', '/app/theme.js', '/docs', '/sdk/usher.js', '/openapi.json', '/healthz', '/nothing'])(
  'under HTTPS a browser that was at %s stays with HTTPS',
  async (path) => {
    const { headers } = await ask(path, { 'x-forwarded-proto': 'https' })
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
    expect(headers.get('request-id')).toMatch(/^req_/)
    expect((await ask(path, {})).headers.get('strict-transport-security')).toBeNull()
  },
)
