import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { revokeToken } from '../../server/sdk/tokens.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { openPublicSide, Page, type PublicEnvironment } from '../support/page.ts'
import type { PageStream } from '../support/page-stream.ts'
import { startService } from '../support/service.ts'

let server: TestServer
let own: PublicEnvironment
beforeAll(async () => {
  server = await startTestServer()
  own = await openPublicSide(server.services, server.environmentId)
})
afterAll(async () => await server.close())

/** The stream is closed after the test, unless it is on a node of its own, which ends it. */
async function open(userId: string, options: { url?: string; groupId?: string } = {}): Promise<[Page, PageStream]> {
  const page = new Page({ url: options.url ?? server.url, token: own.token })
  await page.identify(userId, { signature: own.sign(userId) })
  if (options.groupId !== undefined) await page.call('group', { group_id: options.groupId })
  const stream = await page.openStream()
  if (options.url === undefined) onTestFinished(async () => await stream.close())
  return [page, stream]
}

const hint = { type: 'hint', within_ms: 0 }

it('an event or an attribute that the back end sends is hinted to the pages of its user and of its group only', async () => {
  const [[, ada], [, bob]] = await Promise.all([open('ada', { groupId: 'acme' }), open('bob')])
  await server.client.post('/events', { name: 'exported', user_id: 'ada' })
  await expect.poll(() => ada.messages).toEqual([hint])
  await server.client.post('/groups', { id: 'acme', attributes: { seats: 3 } })
  await expect.poll(() => ada.messages.length).toBe(2)
  await server.client.post('/users', { id: 'bob', attributes: { seats: 3 } })
  await expect.poll(() => bob.messages).toEqual([hint])
  expect(ada.messages).toHaveLength(2)
})

it('without streams nothing is gathered, and a closed stream is forgotten', async () => {
  const [, stream] = await open('brief')
  expect(server.services.hints.isWatched(server.environmentId)).toBe(true)
  await stream.close()
  await expect.poll(() => server.services.hints.isWatched(server.environmentId)).toBe(false)
})

it('a hint reaches the stream on another node', async () => {
  const other = await startService({ connection: server.connection })
  await other.services.hints.start()
  onTestFinished(async () => {
    await other.services.hints.stop()
    await other.close()
  })
  const [, stream] = await open('far', { url: other.url })
  // The node that writes has to know first that there is a stream elsewhere.
  await expect.poll(() => server.services.hints.isWatched(server.environmentId)).toBe(true)
  await expect
    .poll(async () => {
      await server.client.post('/events', { name: 'exported', user_id: 'far' })
      return stream.messages
    })
    .toContainEqual(hint)
})

it('what concerns everyone is asked by each page at a time of its own within ten seconds', async () => {
  const [, stream] = await open('one-of-many')
  server.services.hints.allChanged(server.environmentId)
  await expect.poll(() => stream.messages).toEqual([{ type: 'hint', within_ms: 10_000 }])
})

it('a session that changed elsewhere is named to the pages of its user', async () => {
  const [, stream] = await open('with-session')
  server.services.hints.sessionChanged(server.environmentId, 'with-session', 'a session')
  server.services.hints.sessionChanged(server.environmentId, 'another', 'another session')
  await expect.poll(() => stream.messages).toEqual([{ type: 'session', id: 'a session' }])
})

it('a browser has one stream: a second replaces the first', async () => {
  const [page, first] = await open('twice')
  const second = await page.openStream()
  await first.ended
  expect(first.messages).toEqual([{ type: 'replaced' }])
  await server.client.post('/events', { name: 'exported', user_id: 'twice' })
  await expect.poll(() => second.messages).toEqual([hint])
  await second.close()
})

it('a stream needs a visitor', async () => {
  const page = new Page({ url: server.url, token: own.token })
  await expect(page.openStream()).rejects.toThrow('401')
  page.visitor = 'x.y'
  await expect(page.openStream()).rejects.toThrow('visitor_expired')
})

it('a stop ends every stream with the request to open it again within ten seconds', async () => {
  const other = await startService({ connection: server.connection })
  const [, stream] = await open('stopped', { url: other.url })
  await other.close()
  await stream.ended
  expect(stream.messages).toEqual([{ type: 'close', within_ms: 10_000 }])
})

it('a revoked token opens no stream any more', async () => {
  const page = new Page({ url: server.url, token: own.token })
  await page.identify('late')
  await revokeToken(server.database, own.change, own.tokenId)
  await expect.poll(async () => (await page.call('track', { name: 'x' })).status).toBe(401)
  await expect(page.openStream()).rejects.toThrow('invalid_public_token')
})
