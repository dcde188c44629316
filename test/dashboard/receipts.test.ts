import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FlowDocument } from '../../contract/content/document.ts'
import { emptyDocument } from '../../contract/content/starters.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { type Browser, memberOf } from '../support/dashboard.ts'

const environment = 'production'
let server: TestServer
let member: Browser
let at: { environment: string; content_id: string }
beforeAll(async () => {
  server = await startTestServer()
  member = await memberOf(server, 'member')
  const admin = await memberOf(server, 'admin')
  const { id } = await admin.call('createContent', { environment, document: emptyDocument('flow') as FlowDocument })
  at = { environment, content_id: id }
  const { draft } = await admin.call('getContent', at)
  const version = { expected_draft: draft.revision, inside: 'finish', description: '' } as const
  await admin.call('publishContent', { ...at, ...version })
})
afterAll(async () => await server.close())

async function see(user: string): Promise<void> {
  await server.client.post('/users', { id: user })
  const claim = { content: 'new-flow', user_id: user, holder: 'page' }
  const { body } = await server.client.post('/content_sessions', claim)
  const reports = [
    { sequence: 1, type: 'step_seen', step: 'step-1' },
    { sequence: 2, type: 'completed' },
  ]
  await server.client.post(`/content_sessions/${body.id}/progress`, { holder: 'page', reports })
}

it('what is shown again is decided as if for the first time, for this user alone', async () => {
  await see('ada')
  await see('jun')
  const before = await member.call('getReceipt', { ...at, user_id: 'ada' })
  expect(before).toMatchObject({ outcome: 'hide', runs: [{ state: 'completed' }] })
  await member.call('showAgain', { ...at, user_id: 'ada' })
  expect(await member.call('getReceipt', { ...at, user_id: 'ada' })).toMatchObject({ outcome: 'show', runs: [] })
  expect((await member.call('getReceipt', { ...at, user_id: 'jun' })).runs).toHaveLength(1)
  const { data } = await member.call('listContentOfUser', { environment, user_id: 'ada' })
  expect(data).toMatchObject([{ state: 'next' }])
})

it('shows nothing again to a user who is not there', async () => {
  expect((await member.send('showAgain', { ...at, user_id: 'nobody' })).status).toBe(404)
})
