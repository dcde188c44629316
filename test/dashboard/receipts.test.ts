import { afterAll, beforeAll, expect, it, vi } from 'vitest'
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

it('sentences for people call content and segments by their names; those of the API have keys', async () => {
  const admin = await memberOf(server, 'admin')
  const who = {
    all: [
      { content: 'new-flow', is: 'completed' as const },
      { segment: 'staff', is: 'in' as const },
    ],
  }
  const rule = { content: 'new-flow', is: 'seen' } as const
  await admin.call('createSegment', { environment, key: 'staff', name: 'Our staff', scope: 'user', condition: rule })
  const document = { ...(emptyDocument('flow') as FlowDocument), key: 'second', name: 'Second' }
  const { id } = await admin.call('createContent', { environment, document })
  const second = { environment, content_id: id }
  const save = async (change: object) => {
    const { draft } = await admin.call('getContent', second)
    await admin.call('saveDraft', { ...second, document: { ...document, ...change }, expected_draft: draft.revision })
    return (await admin.call('getContent', second)).draft.revision
  }
  await admin.call('publishContent', {
    ...second,
    ...{ expected_draft: await save({}), inside: 'finish', description: '' },
  })
  await save({ who })
  const name = (await admin.call('getContent', at)).name
  const sentence = `“${name}” was completed and in the segment Our staff`
  const { changes } = await admin.call('planPublication', second)
  const pair = { before: 'everybody', after: sentence }
  expect(changes).toContainEqual({ sign: '~', place: 'who', words: `everybody → ${sentence}`, pair })
  expect((await admin.call('getVersion', { ...second, number: '2' })).changes).toEqual(changes)
  await admin.call('publishContent', {
    ...second,
    expected_draft: await save({ who }),
    inside: 'finish',
    description: '',
  })
  await server.client.post('/users', { id: 'new' })
  const receipt = await member.call('getReceipt', { ...second, user_id: 'new' })
  expect(receipt.sentence).toContain(`“${name}” is not seen`)
  const { data: contents } = await member.call('listContent', { environment })
  expect(contents.find(({ key }) => key === 'second')?.who).toBe(sentence)
  const { data: segments } = await member.call('listSegments', { environment })
  expect(segments.map((one) => one.sentence)).toEqual([`“${name}” was seen`])
  const { body } = await server.client.post('/decisions', { user_id: 'new', receipts: true })
  expect(JSON.stringify(body)).toContain('new-flow is not seen')
})

it.each([
  [{ attribute: '' }, { url: '' }],
  [{ all: [{ attribute: 'since', is: 'before', value: '' }] }, { any: [{ weekdays: ['mon'], zone: 'Nowhere' }] }],
  [{ all: [{}] }, { not: [] }],
  [{}, { all: null }],
])('a draft with rules that are not finished, such as %j, is told of as not published', async (who, where) => {
  const document = { ...(emptyDocument('flow') as FlowDocument), key: 'half-written' }
  const content = await member.call('createContent', { environment, document })
  const half = { environment, content_id: content.id }
  const { draft } = await member.call('getContent', half)
  const unfinished = { ...document, key: content.key, who, where } as FlowDocument
  await member.call('saveDraft', { ...half, document: unfinished, expected_draft: draft.revision })
  await server.client.post('/users', { id: 'ada' })
  const sentence = 'Not shown: it is not published'
  const receipt = await member.call('getReceipt', { ...half, user_id: 'ada' })
  expect(receipt).toMatchObject({ outcome: 'hide', sentence })
  const closed = receipt.gates.filter(({ open }) => open !== true).map(({ code }) => code)
  expect(closed).toEqual(['not_published', 'who_unknown', 'in_the_page'])
  const asked = { user_id: 'ada', receipts: true, content: content.key }
  const { status, body } = await server.client.post('/decisions', asked)
  expect([status, body.receipts?.[0]?.sentence]).toEqual([200, sentence])
  await member.call('deleteContent', half)
})

it('counts no memberships for the name of a user', async () => {
  await see('mara')
  const spy = vi.spyOn(server.database, 'query')
  await member.call('getReceipt', { ...at, user_id: 'mara' })
  await member.call('listContentOfUser', { environment, user_id: 'mara' })
  const statements = spy.mock.calls.map(([text]) => text)
  spy.mockRestore()
  expect(statements.length).toBeGreaterThan(0)
  expect(
    statements.filter((text) => /count\(\*\).*as count/s.test(text) && text.includes('group_memberships')),
  ).toEqual([])
})
