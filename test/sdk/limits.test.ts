import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { limits } from '../../contract/limits.ts'
import { sdkLimits } from '../../contract/sdk/limits.ts'
import { Allowances } from '../../server/sdk/allowances.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { openPublicSide, Page } from '../support/page.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ config: { trustedProxies: ['127.0.0.1', '2001:db8:ffff::/48'] } })
})
afterEach(() => vi.restoreAllMocks())
afterAll(async () => await server.close())

/** Sends requests of this client one after the other, without waiting for the answers, and counts their statuses. */
async function send(forwardedFor: string, count: number): Promise<Record<string, number>> {
  const { port } = new URL(server.url)
  const socket = connect(Number(port), '127.0.0.1').setEncoding('latin1')
  let text = ''
  socket.on('data', (chunk: string) => {
    text += chunk
  })
  const headers = `host: localhost\r\nx-forwarded-proto: https\r\nx-forwarded-for: ${forwardedFor}\r\n`
  const request = (more = '') => `POST /sdk/track HTTP/1.1\r\n${headers}content-length: 0\r\n${more}\r\n`
  socket.write(request().repeat(count - 1) + request('connection: close\r\n'))
  await once(socket, 'close')
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status as string)
  return Object.fromEntries([...Map.groupBy(statuses, (status) => status)].map(([status, all]) => [status, all.length]))
}

it('an address sends 3,000 requests a minute: of IPv6 its /64, and the one that the last untrusted hop was called from', async () => {
  const most = sdkLimits.requestsPerAddressAndMinute
  expect(await send('2001:db8:1:2::1', most + 2)).toEqual({ 401: most, 429: 2 })
  for (const [forwardedFor, status] of [
    ['2001:db8:1:2:ffff:ffff:ffff:ffff', 429],
    ['2001:db8:1:3::1', 401],
    // A client can write anything before the address that the trusted proxy has seen.
    ['2001:db8:1:3::2, 2001:db8:1:2::3', 429],
    ['2001:db8:1:2::3, 2001:db8:1:3::2', 401],
    // Hops of trusted proxies are skipped from the right.
    ['2001:db8:1:2::3, 2001:db8:ffff::1, 127.0.0.1', 429],
    ['203.0.113.9, 2001:db8:ffff::1', 401],
    ['::ffff:203.0.113.9', 401],
    ['not an address', 401],
  ] as const)
    expect([forwardedFor, await send(forwardedFor, 1)]).toEqual([forwardedFor, { [status]: 1 }])
})

it('each report counts for its address, and for the reports of all pages of its environment', async () => {
  const { token } = await openPublicSide(server.services, server.environmentId)
  const taken = vi.spyOn(Allowances.prototype, 'takeReports')
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '198.51.100.1' }
  const page = new Page({ url: server.url, token })
  await page.call('identify', { user_id: 'reporter', browser_id: page.browserId, protocol: 1 }, headers)
  const most = limits.reportsPerRequest
  const reports = Array.from({ length: most }, (_, index) => ({ sequence: index + 1, type: 'hidden' }))
  const send = async () => await page.call('progress', { id: 'unknown', epoch: 1, reports }, headers)
  const count = Math.floor((sdkLimits.requestsPerAddressAndMinute - 1) / most)
  for (let index = 0; index < count; index += 1) expect((await send()).status).toBe(404)
  const { status, body } = await send()
  expect([status, body.error.message]).toEqual([429, expect.stringContaining('The address has used its 3000 requests')])
  const bytes = JSON.stringify(reports).length
  expect(taken.mock.calls).toEqual(Array.from({ length: count }, () => [server.environmentId, most, bytes]))
})
