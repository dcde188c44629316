import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FlowDocument } from '../../contract/content/document.ts'
import { starters } from '../../contract/content/starters.ts'
import { changeMeanwhile } from '../support/change-meanwhile.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { type Browser, memberOf } from '../support/dashboard.ts'

const environment = 'production'
const flow = starters[0]?.document as FlowDocument

type At = { environment: string; content_id: string }

let server: TestServer
let admin: Browser
beforeAll(async () => {
  server = await startTestServer()
  admin = await memberOf(server, 'admin')
})
afterAll(async () => await server.close())

const readsVersions = (text: string) => text.includes('from content_versions')

async function create(): Promise<At> {
  const { id } = await admin.call('createContent', { environment, document: flow })
  return { environment, content_id: id }
}

async function save(at: At, name: string, change: Partial<FlowDocument> = {}) {
  const { draft } = await admin.call('getContent', at)
  const document = { ...(draft.document as FlowDocument), ...change, name }
  return await admin.call('saveDraft', { ...at, document, expected_draft: draft.revision })
}

async function publish(at: At, name: string, change: Partial<FlowDocument> = {}): Promise<void> {
  const { draft } = await save(at, name, change)
  await admin.call('publishContent', { ...at, expected_draft: draft.revision, inside: 'finish', description: '' })
}

it('content that is deleted while it is read is not found, and the list of content is without it', async () => {
  const [listed, detailed, planned, copied] = [await create(), await create(), await create(), await create()]
  const deleted = <T>(at: At, read: () => Promise<T>) =>
    changeMeanwhile(server.database, {
      before: readsVersions,
      change: () => admin.call('deleteContent', at),
      read,
    })
  const { data } = await deleted(listed, () => admin.call('listContent', { environment }))
  expect(data.map(({ id }) => id)).not.toContain(listed.content_id)
  expect((await deleted(detailed, () => admin.send('getContent', detailed))).code).toBe('not_found')
  expect((await deleted(planned, () => admin.send('planPublication', planned))).code).toBe('not_found')
  const to = 'staging'
  expect((await deleted(copied, () => admin.send('copyContent', { ...copied, to }))).code).toBe('not_found')
})

it('a plan expects the draft that it describes, also when another is saved meanwhile', async () => {
  const at = await create()
  await publish(at, 'Published')
  const { draft } = await save(at, 'Planned')
  const { published_version_id } = (await server.client.get(`/content/${at.content_id}`)).body
  const plan = await changeMeanwhile(server.database, {
    before: (text, [, ids]) => readsVersions(text) && (ids as string[]).includes(published_version_id as string),
    change: () => save(at, 'Not planned'),
    read: () => admin.call('planPublication', at),
  })
  expect(plan.expected_draft).toBe(draft.revision)
})

it('a version has one state of its content, also when it is published and edited meanwhile', async () => {
  const at = await create()
  const change = async () => {
    await publish(at, 'Published')
    await save(at, 'Edited')
  }
  const { data } = await changeMeanwhile(server.database, {
    before: readsVersions,
    change,
    read: () => admin.call('listVersions', at),
  })
  expect(data.map(({ number, state, published_at }) => [number, state, published_at !== null])).toEqual([
    [2, 'draft', false],
    [1, 'published', true],
  ])
  const version = await changeMeanwhile(server.database, {
    before: readsVersions,
    change: () => publish(at, 'Published again'),
    read: () => admin.call('getVersion', { ...at, number: '2' }),
  })
  expect(version).toMatchObject({ state: 'published', published_at: expect.any(String) })
})

async function begin(at: At, user_id: string): Promise<void> {
  const { key } = await admin.call('getContent', at)
  await server.client.post('/users', { id: user_id })
  const claim = { content: key, user_id, holder: 'page', reason: 'manual' }
  const { body } = await server.client.post('/content_sessions', claim)
  const reports = [{ sequence: 1, type: 'step_seen', step: flow.steps[0]?.key }]
  await server.client.post(`/content_sessions/${body.id}/progress`, { holder: 'page', reports })
}

it('runs that begin while results are exported have the number of their version', async () => {
  const at = await create()
  await publish(at, 'First')
  const { text } = await changeMeanwhile(server.database, {
    before: (sql) => sql.includes('from content_sessions'),
    change: async () => {
      await publish(at, 'Second')
      await begin(at, 'ada')
    },
    read: () => admin.send('exportResults', { ...at, of: 'runs' }),
  })
  const lines = text.trimEnd().split('\n').slice(1)
  expect(new Set(lines.map((line) => line.split(',')[0]))).toEqual(new Set(['2']))
})

it('a segment is in use when the version that names it is replaced meanwhile, and users are inside of it', async () => {
  const segment = { key: 'free', name: 'Free', scope: 'user' } as const
  const condition = { attribute: 'plan', is: 'equals', value: 'free' } as const
  await admin.call('createSegment', { environment, ...segment, condition })
  const at = await create()
  await publish(at, 'First', { who: { segment: segment.key, is: 'in' } })
  await begin(at, 'jun')
  const { data } = await changeMeanwhile(server.database, {
    before: (sql) => sql.includes('from segment_uses'),
    change: () => publish(at, 'Second', { who: condition }),
    read: () => admin.call('listSegments', { environment }),
  })
  expect(data).toMatchObject([{ key: segment.key, is_live: true }])
})
