import { afterAll, beforeAll, expect, it } from 'vitest'
import { streamOperations, visitorOperations } from '../../contract/sdk/operations.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { tour } from '../support/content.ts'
import { openPublicSide, Page, type PublicEnvironment } from '../support/page.ts'
import { Client } from '../support/requests.ts'
import { createKeys } from '../support/service.ts'

/** Two accounts with content of the same key and a user of the same id. */
interface Environment {
  client: Client
  side: PublicEnvironment
  page: Page
  contentId: string
  claim: { id: string; epoch: number }
}

let server: TestServer
let ours: Environment
let theirs: Environment
beforeAll(async () => {
  server = await startTestServer()
  const [key = ''] = await createKeys(server.database, 'self_hosted', ['Theirs'])
  ours = await open(server.client, server.environmentId)
  const [row] = await server.database.query<{ id: number }>('select max(id) as id from environments', [])
  theirs = await open(new Client(server.url, key), row?.id as never)
})
afterAll(async () => {
  await theirs.client.close()
  await server.close()
})

async function open(client: Client, environmentId: TestServer['environmentId']): Promise<Environment> {
  const side = await openPublicSide(server.services, environmentId)
  const saved = await client.post('/content', tour('welcome', { startable: true, when: { frequency: 'always' } }))
  await client.post(`/content/${saved.body.id}/publish`, {})
  const page = new Page({ url: server.url, token: side.token })
  expect((await page.identify('ada', { signature: side.sign('ada') })).status).toBe(200)
  const { body } = await page.call('claim', { content: 'welcome' })
  const claim = { id: body.id, epoch: body.epoch }
  await page.call('progress', { ...claim, reports: [{ sequence: 1, type: 'step_seen', step: 'hello' }] })
  return { client, side, page, contentId: saved.body.id, claim }
}

/** Every call, with the real ids of the other account. Decisions, writes and the stream name no ids of ours. */
const foreign: Record<string, (to: Environment) => [body: object, answer: object] | 'names no object'> = {
  claim: ({ claim, contentId }) => [{ content: contentId, session: claim.id }, { error: { code: 'not_found' } }],
  start: ({ contentId }) => [{ content: contentId }, { error: { code: 'not_found' } }],
  renew: ({ claim }) => [claim, { holder: false }],
  release: ({ claim }) => [claim, { released: true }],
  progress: ({ claim }) => [
    { ...claim, reports: [{ sequence: 2, type: 'ended', reason: 'escape' }] },
    { error: { code: 'not_found' } },
  ],
  group: () => 'names no object',
  update: () => 'names no object',
  decide: () => 'names no object',
  track: () => 'names no object',
  error: () => 'names no object',
  stream: () => 'names no object',
}

it('has a row for every call of pages', () => {
  expect(Object.keys(foreign).sort()).toEqual(Object.keys({ ...visitorOperations, ...streamOperations }).sort())
})

it.each(Object.keys(foreign))('%s does not reach content or sessions of another account', async (name) => {
  const row = foreign[name]?.(ours)
  if (row && row !== 'names no object') {
    const [body, answer] = row
    expect((await theirs.page.call(name, body)).body).toMatchObject(answer)
  }
  // With its own token, the visitor of another account is nobody.
  const headers = { 'usher-visitor': ours.page.visitor as string }
  const method = name === 'stream' ? 'GET' : 'POST'
  const mixed = await theirs.page.send(method, `/sdk/${name}`, method === 'GET' ? undefined : '{}', headers)
  expect([mixed.status, mixed.body.error.code]).toEqual([401, 'visitor_expired'])
})

it('what the other account has tried changed nothing', async () => {
  expect((await ours.page.call('renew', ours.claim)).body).toMatchObject({ holder: true })
  const { body } = await ours.client.get(`/content_sessions/${ours.claim.id}`)
  expect(body).toMatchObject({ state: 'active', progress: '1/2' })
  const decided = (await theirs.page.call('decide')).body
  expect(JSON.stringify(decided)).not.toContain(ours.contentId)
  expect(decided.sessions).toMatchObject([{ id: theirs.claim.id }])
})

it('a proof of one account proves nothing in another', async () => {
  const page = new Page({ url: server.url, token: theirs.side.token })
  expect((await page.identify('ada', { signature: ours.side.sign('ada') })).body.verified).toBe(false)
})
