import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { setIdentity } from '../../server/sdk/identity.ts'
import { addOrigin, removeOrigin } from '../../server/sdk/origins.ts'
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
  const condition = { attribute: 'seats', is: 'at_least', value: 5 }
  await server.client.post('/segments', { key: 'large', scope: 'user', condition })
  await publish('asked', { any: [{ event: 'exported' }, { attribute: 'seats', of: 'group', is: 'exists' }, inSegment] })
})
afterAll(async () => await server.close())

const inSegment = { segment: 'large', is: 'in' }

async function publish(key: string, who: object): Promise<void> {
  const steps = [
    { key: 'a', type: 'dialog', blocks: [{ heading: key }], buttons: [{ label: 'OK', do: [{ next: true }] }] },
  ]
  const saved = await server.client.post('/content', { key, type: 'flow', name: key, who, steps, startable: true })
  expect((await server.client.post(`/content/${saved.body.id}/publish`, {})).body.error).toBeUndefined()
}

/** The stream is closed after the test, unless it is on a node of its own, which ends it. */
async function open(userId: string, options: { url?: string; groupId?: string } = {}): Promise<[Page, PageStream]> {
  const page = new Page({ url: options.url ?? server.url, token: own.token })
  await page.identify(userId, { signature: own.sign(userId) })
  if (options.groupId !== undefined) await page.call('group', { group_id: options.groupId })
  const stream = await page.openStream()
  if (options.url === undefined) {
    onTestFinished(async () => await stream.close())
    await settle(userId, stream)
  }
  return [page, stream]
}

/** What was written before the stream opened may be told after it. With the second of two marks all of that was told. */
async function settle(userId: string, stream: PageStream): Promise<void> {
  // Sessions of two users have different ids.
  for (const id of [`${userId} 1`, `${userId} 2`]) {
    server.services.hints.sessionChanged(server.environmentId, userId, id)
    await expect.poll(() => stream.messages).toContainEqual({ type: 'session', id })
  }
  stream.messages.length = 0
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

it('a stream hears of the current group of its user, also when the page names none, and when it is another now', async () => {
  await server.client.post('/users', { id: 'employee', groups: [{ id: 'first-job' }] })
  const [, stream] = await open('employee')
  await server.client.post('/groups', { id: 'first-job', attributes: { seats: 3 } })
  await expect.poll(() => stream.messages).toEqual([hint])
  // One hint for the change of the user, and one when the stream listens to the other group.
  await server.client.post('/users', { id: 'employee', groups: [{ id: 'next-job' }], prune_memberships: true })
  await expect.poll(() => stream.messages).toEqual([hint, hint, hint])
  await server.client.post('/groups', { id: 'next-job', attributes: { seats: 3 } })
  await expect.poll(() => stream.messages).toEqual([hint, hint, hint, hint])
})

it('a change of what no published condition asks for is not hinted', async () => {
  const [, stream] = await open('asked', { groupId: 'asked' })
  // Until the conditions are read, everything may be asked for.
  const { content } = server.services.hints
  await expect.poll(() => content.interestOf(server.environmentId).events.has('viewed')).toBe(false)
  await server.client.post('/events', { name: 'viewed', user_id: 'asked', group_id: 'asked' })
  await server.client.post('/users', { id: 'asked', attributes: { color: 'red' } })
  await server.client.post('/groups', { id: 'asked', attributes: { color: 'red' } })
  // Hints are told in order: this one is the first.
  await server.client.post('/users', { id: 'asked', attributes: { seats: 1 } })
  await expect.poll(() => stream.messages).toEqual([hint])
})

it('a change between the decision of a page and its stream is hinted when the stream opens', async () => {
  const page = new Page({ url: server.url, token: own.token })
  await page.identify('hasty', { signature: own.sign('hasty') })
  await server.client.post('/events', { name: 'exported', user_id: 'hasty' })
  const stream = await page.openStream()
  onTestFinished(async () => await stream.close())
  // Or just after it, when the event had not been told before.
  await expect.poll(() => [stream.opening, ...stream.messages]).toContainEqual(hint)
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

it('a publication reaches open pages on every node within a second, and each asks at a time of its own', async () => {
  const other = await startService({ connection: server.connection })
  onTestFinished(async () => await other.close())
  const [[, here], [, there]] = await Promise.all([open('one-of-many'), open('another', { url: other.url })])
  const isRead = ({ services }: Pick<TestServer, 'services'>) =>
    !services.hints.content.interestOf(server.environmentId).events.has('viewed')
  await expect.poll(() => isRead(server) && isRead(other)).toBe(true)
  await publish('new', { event: 'viewed' })
  const everyone = { type: 'hint', within_ms: 10_000 }
  await expect.poll(() => [here.messages, there.messages]).toEqual([[everyone], [everyone]])
  // From then on its names are asked for.
  await server.client.post('/events', { name: 'viewed', user_id: 'one-of-many' })
  await expect.poll(() => here.messages).toEqual([everyone, hint])
})

it('pages hear at once that guidance is switched off, to take it down; only their questions are spread', async () => {
  const [, stream] = await open('guided')
  const { content } = server.services.hints
  await expect.poll(() => content.interestOf(server.environmentId).events.has('unheard-of')).toBe(false)
  const turn = async (isOff: boolean) =>
    void (await server.database.query('update guidance set is_off = $1::boolean', [isOff]))
  await turn(true)
  onTestFinished(async () => await turn(false))
  await expect.poll(() => stream.messages).toContainEqual({ type: 'hint', within_ms: 10_000, off: true })
})

it('a session that another browser, a start by hand or the back end changes is named to the pages of its user', async () => {
  const [page, stream] = await open('with-session')
  const named = () =>
    stream.messages.filter(({ type }) => type === 'session').map((message) => 'id' in message && message.id)
  const start = async (by: Page, sequence = 1) => {
    const { body } = await by.call('start', { content: 'asked' })
    await by.call('progress', { id: body.id, epoch: 1, reports: [{ sequence, type: 'step_seen', step: 'a' }] })
    return body
  }
  const first = await start(page)
  expect(named()).toEqual([])
  // Another browser resumes it.
  const other = new Page({ url: server.url, token: own.token })
  await other.identify('with-session', { signature: own.sign('with-session') })
  await page.call('release', { id: first.id, epoch: 1 })
  expect((await other.call('claim', { content: 'asked', session: first.id })).body.epoch).toBe(2)
  await expect.poll(named).toEqual([first.id])
  // It is started there by hand, and replaced here.
  const { body: replaced } = await page.call('start', { content: 'asked' })
  await expect.poll(named).toEqual([first.id, first.id])
  const last = await start(other)
  await expect.poll(named).toEqual([first.id, first.id, replaced.id])
  await server.client.post(`/content_sessions/${last.id}/end`, {})
  await expect.poll(named).toEqual([first.id, first.id, replaced.id, last.id])
  await server.client.delete(`/content_sessions/${last.id}`)
  await expect.poll(() => named().length).toBe(5)
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

it('after the deletion of its user a page opens no stream, also when there is a new user of that id', async () => {
  const page = new Page({ url: server.url, token: own.token })
  await page.identify('gone')
  await server.client.delete('/users/gone')
  await expect(page.openStream()).rejects.toThrow('visitor_expired')
  await server.client.post('/users', { id: 'gone' })
  await expect(page.openStream()).rejects.toThrow('visitor_expired')
})

it('the deletion of its user ends a stream at once, on every node, also when there is a new user of that id', async () => {
  const other = await startService({ connection: server.connection })
  await other.services.hints.start()
  onTestFinished(async () => {
    await other.services.hints.stop()
    await other.close()
  })
  const [[, here], [, there]] = await Promise.all([open('leaving'), open('leaving', { url: other.url })])
  const [, kept] = await open('staying')
  await expect.poll(() => other.services.hints.isWatched(server.environmentId)).toBe(true)
  await server.client.delete('/users/leaving')
  await server.client.post('/users', { id: 'leaving' })
  await Promise.all([here.ended, there.ended])
  expect([here.messages.at(-1), kept.isOpen]).toEqual([{ type: 'close', within_ms: 0 }, true])
})

// Below, a hint may come before: everyone is told of a second publication ten seconds after the first.
it('a stream ends at once when the environment requires a proof that it lacks', async () => {
  const { database, services } = server
  const page = new Page({ url: server.url, token: own.token })
  await page.identify('unproved')
  const stream = await page.openStream()
  const [, proved] = await open('proved')
  await setIdentity(database, services.secrets.box, own.change, 'required')
  onTestFinished(async () => void (await setIdentity(database, services.secrets.box, own.change, 'report')))
  await stream.ended
  expect([stream.messages.at(-1), proved.isOpen]).toEqual([{ type: 'close', within_ms: 10_000 }, true])
})

it('a stream ends at once when the origin of its page is allowed no more', async () => {
  const [page, stream] = await open('at-home')
  // The first origin that is added keeps localhost.
  await addOrigin(server.database, own.change, 'https://app.example.com')
  await removeOrigin(server.database, own.change, 'localhost')
  await stream.ended
  expect(stream.messages.at(-1)).toEqual({ type: 'close', within_ms: 10_000 })
  await addOrigin(server.database, own.change, 'localhost')
  await expect.poll(async () => (await page.call('decide')).status).toBe(200)
})

it('a stop ends every stream with the request to open it again within ten seconds', async () => {
  const other = await startService({ connection: server.connection })
  const [, stream] = await open('stopped', { url: other.url })
  await other.close()
  await stream.ended
  expect(stream.messages.at(-1)).toEqual({ type: 'close', within_ms: 10_000 })
})

it('a revoked token opens no stream any more, and those that are open end', async () => {
  const page = new Page({ url: server.url, token: own.token })
  await page.identify('late')
  const stream = await page.openStream()
  await revokeToken(server.database, own.change, own.tokenId)
  await stream.ended
  await expect.poll(async () => (await page.call('track', { name: 'x' })).status).toBe(401)
  await expect(page.openStream()).rejects.toThrow('invalid_public_token')
})
