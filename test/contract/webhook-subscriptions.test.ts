import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../contract/limits.ts'
import { verifySignature } from '../../contract/signature.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { type Inbox, openInbox } from '../support/deliveries.ts'
import { checkResource } from '../support/response-schemas.ts'

const PATH = '/webhook_subscriptions'
let server: TestServer
let inbox: Inbox
beforeAll(async () => {
  server = await startTestServer()
  inbox = await openInbox()
})
afterAll(async () => {
  await server.close()
  await inbox.close()
})

const create = async (fields = {}) => await server.client.post(PATH, { url: inbox.url, topics: ['*'], ...fields })

describe('the limits of a subscription', () => {
  it('are 100 topics', async () => {
    const topics = Array.from({ length: limits.topicsPerSubscription + 1 }, (_, index) => `event.tracked.e${index}`)
    const { body } = await create({ topics: topics.slice(1) })
    expect(body.topics).toHaveLength(100)
    const over = await create({ topics })
    expect([over.status, over.body.error.message]).toEqual([400, 'topics: must have at most 100 different topics'])
    const repeated = [...topics.slice(0, 50), ...topics.slice(0, 50), topics[0]]
    const patched = await server.client.patch(`${PATH}/${body.id}`, { topics: repeated })
    expect(patched.body.topics).toEqual(topics.slice(0, 50))
    expect((await server.client.patch(`${PATH}/${body.id}`, { topics })).status).toBe(400)
    expect((await create({ topics: [] })).body.error.message).toBe('topics: must have at least 1 item')
    await server.client.delete(`${PATH}/${body.id}`)
  })

  it('are 2,048 characters of URL', async () => {
    const url = `${inbox.url}/`.padEnd(limits.urlCharacters, 'x')
    const { body } = await create({ url })
    expect(body.url).toBe(url)
    expect((await create({ url: `${url}x` })).body.error.message).toBe('url: must have at most 2048 characters')
    await server.client.delete(`${PATH}/${body.id}`)
  })
})

it('an id for a new subscription, and a secret, are refused: ignoring them would mislead', async () => {
  const { secret, ...subscription } = (await create()).body
  const path = `${PATH}/${subscription.id}`
  for (const [param, { status, body }] of [
    ['id', await create({ id: subscription.id })],
    ['secret', await create({ secret: 'whsec_mine' })],
    ['secret', await server.client.patch(path, { secret: 'whsec_mine' })],
    ['secret', await server.client.patch(path, { ...subscription, secret })],
  ] as const)
    expect([status, body.error.param]).toEqual([400, param])
  expect((await server.client.get(PATH)).body.data).toEqual([subscription])
  // What was read later has no secret, and can be sent back.
  expect((await server.client.patch(path, subscription)).body).toEqual(subscription)
  expect((await create({ id: null, secret: null })).status).toBe(200)
  for (const { id } of (await server.client.get(PATH)).body.data) await server.client.delete(`${PATH}/${id}`)
})

it('a key of another environment shows and changes no subscription', async () => {
  const { client, otherClient } = server
  const { secret: _, ...shown } = (await create({ topics: ['user.created'] })).body
  const own = `${PATH}/${shown.id}`
  expect((await otherClient.get(own)).status).toBe(404)
  expect((await otherClient.patch(own, { disabled: true })).status).toBe(404)
  expect((await otherClient.delete(own)).body).toEqual({ id: shown.id, object: 'webhook_subscription', deleted: true })
  expect((await otherClient.get(PATH)).body.data).toEqual([])
  expect((await otherClient.get(`${PATH}?starting_after=${shown.id}`)).status).toBe(400)
  await otherClient.post('/users', { id: 'foreign' })
  await client.post('/users', { id: 'mine' })
  await expect.poll(() => inbox.arrivals.length).toBeGreaterThan(0)
  expect(inbox.arrivals.map(({ body }) => JSON.parse(body).data.object.id)).toEqual(['mine'])
  expect((await client.get(own)).body).toEqual(shown)
  await client.delete(own)
})

it('a notification is what the document says, signed with the secret of its subscription', async () => {
  const { secret, id } = (await create({ topics: ['event.tracked.signed', 'user.updated'] })).body
  inbox.arrivals.length = 0
  await server.client.post('/users', { id: 'mine' })
  await server.client.post('/events', { name: 'signed', user_id: 'mine', attributes: { a: 'ü' } })
  await expect.poll(() => inbox.arrivals).toHaveLength(2)
  for (const { body, headers } of inbox.arrivals) {
    checkResource('WebhookNotification', JSON.parse(body))
    const header = String(headers['service-signature'])
    expect(verifySignature({ header, body, secret, nowSeconds: Date.now() / 1000 })).toEqual({ valid: true })
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
  }
  await server.client.delete(`${PATH}/${id}`)
})
