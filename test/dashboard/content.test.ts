import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ContentDocument, FlowDocument } from '../../contract/content/document.ts'
import { emptyDocument, starters } from '../../contract/content/starters.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { type Browser, memberOf } from '../support/dashboard.ts'

let server: TestServer
let viewer: Browser
let member: Browser
let admin: Browser
const environment = 'production'
const flow = starters[0]?.document as FlowDocument

beforeAll(async () => {
  server = await startTestServer()
  ;[viewer, member, admin] = await Promise.all([
    memberOf(server, 'viewer'),
    memberOf(server, 'member'),
    memberOf(server, 'admin'),
  ])
  await server.client.post('/users', {
    id: 'u_new',
    attributes: { name: 'Ada', signed_up_at: new Date().toISOString() },
  })
})
afterAll(async () => await server.close())

const create = async (document: ContentDocument) => {
  const { id } = await member.call('createContent', { environment, document })
  return { environment, content_id: id }
}
const revision = async (at: { environment: string; content_id: string }) =>
  (await viewer.call('getContent', at)).draft.revision
const publish = async (at: { environment: string; content_id: string }) =>
  await admin.call('publishContent', {
    ...at,
    expected_draft: await revision(at),
    inside: 'finish',
    description: 'first',
  })

describe('content', () => {
  it('is created with a free key, listed with its rule in words, and deleted', async () => {
    const first = await create(flow)
    const second = await member.call('createContent', { environment, document: flow })
    expect(second.key).toBe('welcome-2')
    const { data, guidance } = await viewer.call('listContent', { environment })
    expect(data.find(({ id }) => id === first.content_id)).toMatchObject({
      name: 'Welcome tour',
      state: 'draft',
      size: '3 steps',
      who: 'signed_up_at is less than 1 day ago',
      seen: null,
    })
    expect(guidance).toMatchObject({ is_off: false, may_publish: false })
    await member.call('deleteContent', { environment, content_id: second.id })
    expect((await viewer.send('getContent', { environment, content_id: second.id })).code).toBe('not_found')
  })

  it('is created for each of many members who create the same at once', async () => {
    const document = { ...flow, key: 'same' }
    const made = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(() => member.send('createContent', { environment, document })),
    )
    expect(made.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    expect(new Set(made.map(({ body }) => body.key)).size).toBe(6)
    for (const { body } of made) await member.call('deleteContent', { environment, content_id: body.id })
  })

  it('keeps an unfinished draft, names its problems, and is not published with them', async () => {
    const at = await create(emptyDocument('launcher'))
    const { draft } = await viewer.call('getContent', at)
    expect(draft.problems.map(({ param }) => param)).toContain('target.locators')
    const refused = await admin.send('publishContent', {
      ...at,
      expected_draft: draft.revision,
      inside: 'finish',
      description: '',
    })
    expect([refused.code, refused.text]).toEqual(['invalid_params', expect.stringContaining('target.locators')])
    const plan = await viewer.call('planPublication', at)
    expect(plan.problems.map(({ param }) => param)).toContain('target.locators')
    const unfinished = { ...draft.document, who: { all: [{ attribute: '' }] } } as ContentDocument
    const saved = await member.call('saveDraft', { ...at, document: unfinished, expected_draft: draft.revision })
    expect(saved.draft.problems.map(({ param }) => param)).toContain('who.all[0].attribute')
    expect((await viewer.call('listContent', { environment })).data[0]?.who).toBe('a condition that is not finished')
    expect((await viewer.call('planPublication', at)).gains.count).toBe(0)
  })

  it('tells the second of two editors that the draft has changed, and overwrites nothing', async () => {
    const at = await create({ ...flow, key: 'two-editors' })
    const { draft } = await viewer.call('getContent', at)
    const save = async (by: Browser, name: string) =>
      await by.send('saveDraft', { ...at, document: { ...draft.document, name }, expected_draft: draft.revision })
    expect((await save(member, 'Mine')).status).toBe(200)
    const late = await save(admin, 'Theirs')
    expect([late.status, late.code]).toEqual([409, 'draft_changed'])
    expect((await viewer.call('getContent', at)).name).toBe('Mine')
    const moved = await member.send('saveDraft', {
      ...at,
      document: { ...draft.document, key: 'another' },
      expected_draft: await revision(at),
    })
    expect(moved.code).toBe('invalid_params')
  })

  it('is edited under one entry of the audit log, until somebody else or something else is between', async () => {
    const at = await create({ ...flow, key: 'spans' })
    const rename = async (by: Browser, name: string) => {
      const { draft } = await viewer.call('getContent', at)
      await by.call('saveDraft', { ...at, document: { ...draft.document, name }, expected_draft: draft.revision })
    }
    const entries = async () => {
      const { data } = await admin.call('listAuditEntries', { target_id: at.content_id })
      return data.map(({ action }) => action).reverse()
    }
    for (const name of ['a', 'b', 'c']) await rename(member, name)
    expect(await entries()).toEqual(['content.created', 'content.saved'])
    await rename(admin, 'd')
    await rename(member, 'e')
    await publish(at)
    await rename(member, 'f')
    const found = await admin.call('listAuditEntries', { target_id: at.content_id, action: 'content.published' })
    expect(found.data[0]?.after).toMatchObject({ version: 1, changes: expect.arrayContaining([expect.any(String)]) })
    const saved = 'content.saved'
    expect(await entries()).toEqual(['content.created', saved, saved, saved, 'content.published', saved])
    // Entries cannot be changed: the database refuses it.
    await server.database.query('alter table audit_entries disable rule audit_entries_are_not_changed', [])
    await server.database.query(`update audit_entries set at = at - interval '31 minutes' where target_id = $1::text`, [
      at.content_id,
    ])
    await rename(member, 'g')
    expect((await entries()).slice(-2)).toEqual([saved, saved])
  })

  it('is published with a plan that names whom it reaches, shows its versions, and is taken down', async () => {
    const at = await create({ ...flow, key: 'published' })
    const plan = await viewer.call('planPublication', at)
    expect(plan).toMatchObject({ number: 1, published_number: null, problems: [], gains: { count: 1, exact: true } })
    expect(plan.gains.samples[0]).toMatchObject({ user_id: 'u_new', name: 'Ada' })
    expect(await publish(at)).toEqual({ number: 1 })
    const { draft, state } = await viewer.call('getContent', at)
    expect(state).toBe('published')
    const changed = { ...draft.document, name: 'Changed' }
    const saved = await member.call('saveDraft', { ...at, document: changed, expected_draft: draft.revision })
    expect(saved).toMatchObject({ state: 'changed', draft: { number: 2 } })
    const { data: versions } = await viewer.call('listVersions', at)
    expect(versions.map(({ number, state: of, description }) => [number, of, description])).toEqual([
      [2, 'draft', ''],
      [1, 'published', 'first'],
    ])
    const version = await viewer.call('getVersion', { ...at, number: '2' })
    const renamed = (before: string, after: string) => [
      { sign: '~', place: 'name', words: `${before} → ${after}`, pair: { before, after } },
    ]
    expect(version.changes).toEqual(renamed('"Welcome tour"', '"Changed"'))
    expect(version.against).toBe(1)
    const backwards = await viewer.call('getVersion', { ...at, number: '1', against: 2 })
    expect(backwards.changes).toEqual(renamed('"Changed"', '"Welcome tour"'))
    await admin.call('unpublishContent', at)
    expect((await viewer.call('getContent', at)).published).toBeNull()
  })

  it('says how far its plan has come while somebody waits for it', async () => {
    const at = await create({ ...flow, key: 'planned' })
    expect(await viewer.call('getPlanProgress', at)).toEqual({ looked: null, users: null })
    const holding = await server.database.pool.connect()
    await holding.query('begin; lock table users in access exclusive mode')
    const plan = viewer.call('planPublication', at)
    await expect.poll(() => viewer.call('getPlanProgress', at)).toMatchObject({ looked: 0 })
    await holding.query('rollback')
    holding.release()
    expect((await plan).gains.count).toBe(1)
    expect(await viewer.call('getPlanProgress', at)).toEqual({ looked: null, users: null })
  })

  it('is copied to another environment by its key, and again into the same draft', async () => {
    const at = await create({ ...flow, key: 'copied' })
    const copy = await member.call('copyContent', { ...at, to: 'staging' })
    expect(copy.is_new).toBe(true)
    expect(await member.call('copyContent', { ...at, to: 'staging' })).toEqual({ id: copy.id, is_new: false })
    const there = await viewer.call('getContent', { environment: 'staging', content_id: copy.id })
    expect(there).toMatchObject({ key: 'copied', state: 'draft' })
    expect((await member.send('copyContent', { ...at, to: 'production' })).code).toBe('invalid_params')
  })
})

it('a copy keeps the draft of another member of the same name as a version', async () => {
  const at = await create({ ...flow, key: 'namesakes' })
  const [one, other] = (await Promise.all(
    ['ada@one.example', 'ada@two.example'].map((email) => memberOf(server, 'member', email)),
  )) as [Browser, Browser]
  const { id } = await one.call('copyContent', { ...at, to: 'staging' })
  const there = { environment: 'staging', content_id: id }
  const copyNext = async (by: Browser, name: string) => {
    const { draft } = await viewer.call('getContent', at)
    await member.call('saveDraft', { ...at, document: { ...draft.document, name }, expected_draft: draft.revision })
    await by.call('copyContent', { ...at, to: 'staging' })
    return await revision(there)
  }
  expect(await copyNext(one, 'Second')).toBe('1.2')
  expect(await copyNext(other, 'Third')).toBe('2.1')
  expect(await copyNext(other, 'Fourth')).toBe('2.2')
})

describe('the right to publish', () => {
  it('is an admin’s, until the environment gives it to members', async () => {
    const at = await create({ ...flow, key: 'rights' })
    const job = { ...at, expected_draft: await revision(at), inside: 'finish', description: '' } as const
    expect((await member.send('publishContent', job)).code).toBe('role_required')
    expect((await member.send('unpublishContent', at)).code).toBe('role_required')
    await admin.call('updateGuidance', { environment, members_may_publish: true })
    await member.call('publishContent', job)
    await admin.call('updateGuidance', { environment, members_may_publish: false })
    expect((await member.send('deleteContent', at)).code).toBe('role_required')
    await admin.call('deleteContent', at)
  })

  it('covers the switch, which names who turned it and when', async () => {
    expect((await member.send('updateGuidance', { environment, is_off: true })).code).toBe('role_required')
    const off = await admin.call('updateGuidance', { environment, is_off: true })
    expect(off).toMatchObject({ is_off: true, switched_by: expect.any(String), switched_at: expect.any(String) })
    expect((await viewer.call('listContent', { environment })).guidance.is_off).toBe(true)
    await admin.call('updateGuidance', { environment, is_off: false })
  })
})

it('the list reads the documents of a bounded number of contents at a time', async () => {
  const { database, environmentId } = server
  const at = await create({ ...flow, key: 'many' })
  const listed = async () => (await viewer.call('listContent', { environment })).data.length
  const before = await listed()
  await database.query(
    `with made as (
       insert into content (environment_id, id, key, type, name, draft_version_id, created_at)
       select environment_id, gen_random_uuid(), 'many-' || n, type, name, gen_random_uuid(), created_at
         from content, generate_series(1, 120) as n where environment_id = $1::int and id = $2::uuid
       returning id, draft_version_id)
     insert into content_versions (environment_id, id, content_id, number, document, revision, edited_at, created_at)
     select $1::int, made.draft_version_id, made.id, 1, version.document, 1, now(), now()
       from made, content_versions as version where version.content_id = $2::uuid`,
    [environmentId, at.content_id],
  )
  const spy = vi.spyOn(database, 'query')
  expect(await listed()).toBe(before + 120)
  const answers = await Promise.all(spy.mock.results.map(({ value }) => value as Promise<object[]>))
  spy.mockRestore()
  const documents = answers.map((rows) => rows.filter((row) => 'document' in row).length)
  expect(Math.max(...documents)).toBeLessThanOrEqual(100)
})
