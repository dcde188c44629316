import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FlowDocument } from '../../contract/content/document.ts'
import { starters } from '../../contract/content/starters.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { type Browser, memberOf } from '../support/dashboard.ts'

const environment = 'production'
const survey = starters[3]?.document as FlowDocument
let server: TestServer
let admin: Browser
let at: { environment: string; content_id: string }
beforeAll(async () => {
  server = await startTestServer()
  admin = await memberOf(server, 'admin')
  const { id } = await admin.call('createContent', { environment, document: survey })
  at = { environment, content_id: id }
})
afterAll(async () => await server.close())

async function publish(change: Partial<FlowDocument> = {}): Promise<void> {
  const { draft } = await admin.call('getContent', at)
  const document = { ...(draft.document as FlowDocument), ...change }
  await admin.call('saveDraft', { ...at, document, expected_draft: draft.revision })
  const { draft: saved } = await admin.call('getContent', at)
  const version = { expected_draft: saved.revision, inside: 'finish', description: '' } as const
  await admin.call('publishContent', { ...at, ...version })
}

async function report(user: string, reports: object[]): Promise<void> {
  await server.client.post('/users', { id: user })
  const claim = { content: survey.key, user_id: user, holder: 'page', reason: 'manual' }
  const { body } = await server.client.post('/content_sessions', claim)
  const numbered = reports.map((one, index) => ({ sequence: index + 1, ...one }))
  await server.client.post(`/content_sessions/${body.id}/progress`, { holder: 'page', reports: numbered })
}
const answer = (user: string, value: number) =>
  report(user, [
    { type: 'step_seen', step: 'ask' },
    { type: 'answered', question: 'recommend', value },
  ])

it('compares two versions also by the answers to their NPS', async () => {
  await publish()
  await answer('ada', 3)
  await publish({ name: 'Another name' })
  await answer('jun', 10)
  const results = await admin.call('getResults', at)
  expect(results).toMatchObject({ number: 2, seen: 1, missing: null })
  const nps = (value: number) => Array.from({ length: 11 }, (_, index) => (index === value ? 1 : 0))
  expect(results.questions.find(({ kind }) => kind === 'nps')?.counts).toEqual(nps(10))
  expect(results.against).toMatchObject({ number: 1, seen: 1, questions: [{ key: 'recommend', counts: nps(3) }] })
})
