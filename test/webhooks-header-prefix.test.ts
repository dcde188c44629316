import { describe, expect, it, onTestFinished } from 'vitest'
import { verifySignature } from '../contract/signature.ts'
import { startTestServer, type TestServer } from './support/client.ts'
import { eventually, type Inbox, openInbox } from './support/deliveries.ts'
import type { Json } from './support/requests.ts'

async function start(webhookHeaderPrefix: string | undefined): Promise<{ server: TestServer; inbox: Inbox }> {
  const server = await startTestServer({ config: { webhookHeaderPrefix } })
  onTestFinished(() => server.close())
  const inbox = await openInbox()
  onTestFinished(() => inbox.close())
  return { server, inbox }
}

async function deliver({ server, inbox }: Awaited<ReturnType<typeof start>>) {
  const { body } = await server.client.post('/webhook_subscriptions', { url: inbox.url, topics: ['*'] })
  await server.client.post('/users', { id: 'u' })
  await eventually('the notification arrives', () => inbox.arrivals.length === 1)
  const [arrival] = inbox.arrivals
  return { secret: String((body as Json).secret), headers: arrival?.headers ?? {}, body: arrival?.body ?? '' }
}

describe('with a prefix', () => {
  it('a delivery carries the signature under both names, and the version', async () => {
    const { secret, headers, body } = await deliver(await start('Acme-Hooks'))
    const header = String(headers['acme-hooks-signature'])
    expect(header).toBe(headers['service-signature'])
    expect(verifySignature({ header, body, secret, nowSeconds: Date.now() / 1000 })).toEqual({ valid: true })
    expect(headers['acme-hooks-version']).toBe('2020-01-03')
  })

  it('a request may name its version in either header, and a wrong one is named', async () => {
    const { server } = await start('Acme')
    const get = async (headers: Record<string, string>) => {
      const { status, body } = await server.client.get('/users', headers)
      return [status, (body as { error?: Json }).error?.message]
    }
    expect(await get({ 'acme-version': '2020-01-03' })).toEqual([200, undefined])
    expect(await get({ 'acme-version': '2020-01-03', 'service-version': '2020-01-03' })).toEqual([200, undefined])
    const problem = 'Acme-Version: must be one of 2020-01-03, or absent'
    expect(await get({ 'acme-version': '1999-01-01' })).toEqual([400, problem])
    expect(await get({ 'acme-version': '1999-01-01', 'service-version': '2020-01-03' })).toEqual([400, problem])
  })
})

it('without a prefix there is one name, and other version headers are ignored', async () => {
  const running = await start(undefined)
  const { headers } = await deliver(running)
  expect(Object.keys(headers).filter((name) => /signature|version/.test(name))).toEqual(['service-signature'])
  expect((await running.server.client.get('/users', { 'acme-version': '1999-01-01' })).status).toBe(200)
})
