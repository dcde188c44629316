import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import type { ContentDocument } from '../../contract/content/document.ts'
import { exampleBanner, exampleChecklist, exampleFlow, exampleLauncher } from '../../contract/content/examples.ts'
import { limits } from '../../contract/limits.ts'
import { startTestServer, type TestServer } from '../support/client.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const flow = (key: string, change: Partial<ContentDocument> = {}) =>
  ({ ...exampleFlow, who: undefined, key, name: key, ...change }) as ContentDocument

async function save(document: object, more: object = {}) {
  return await server.client.post('/content', { ...document, ...more })
}

const publish = (id: string, body: object = {}) => server.client.post(`/content/${id}/publish`, body)
const get = async (path: string) => (await server.client.get(path)).body

async function auditOf(id: string): Promise<string[]> {
  const rows = await server.database.query<{ action: string }>(
    'select action from audit_entries where target_id = $1::text order by id',
    [id],
  )
  return rows.map(({ action }) => action)
}

it('an answer about a document or a theme names every field that it lacks', async () => {
  const messageOf = async (path: string, body: object) => (await server.client.post(path, body)).body.error.message
  const type = 'type: is required: one of flow, checklist, banner, launcher'
  expect(await messageOf('/content', {})).toBe(`${type}; key: is required; name: is required`)
  expect(await messageOf('/content', { type: 'banner' })).toBe(
    'key: is required; name: is required; blocks: is required',
  )
  expect(await messageOf('/content/push', { documents: [{ document: {} }] })).toBe(
    ['type: is required: one of flow, checklist, banner, launcher', 'key: is required', 'name: is required']
      .map((problem) => `documents[0].document.${problem}`)
      .join('; '),
  )
  expect(await messageOf('/themes', { radius: -1 })).toContain('key: is required; ')
})

it('a draft is a version that changes until it is published, and then the next edit is the next version', async () => {
  const first = (await save(flow('life'))).body
  expect(first).toMatchObject({ object: 'content', key: 'life', type: 'flow', published_version_id: null })
  expect(first.draft_version).toMatchObject({ number: 1, revision: '1.1', document: null, description: '' })

  const second = (await save(flow('life', { name: 'Life' }))).body
  expect([second.draft_version_id, second.draft_version.revision]).toEqual([first.draft_version_id, '1.2'])

  const published = (await publish(first.id, { description: 'the first' })).body
  expect([published.published_version_id, published.draft_version_id]).toEqual([
    first.draft_version_id,
    first.draft_version_id,
  ])

  const third = (await save(flow('life', { name: 'Later' }))).body
  expect(third.draft_version).toMatchObject({ number: 2, revision: '2.1' })
  expect(third.published_version_id).toBe(first.draft_version_id)
  const versions = await get(`/content_versions?content_id=${first.id}&order_by=-number&expand=document`)
  expect(versions.data.map((version: { number: number }) => version.number)).toEqual([2, 1])
  expect(versions.data[1]).toMatchObject({ description: 'the first', document: { name: 'Life' } })
  expect(await auditOf(first.id)).toEqual(['content.created', 'content.saved', 'content.published', 'content.saved'])
})

it('a key that has the form of an id is refused by name: of content, of a push and of a segment', async () => {
  const { client } = server
  const { body: named } = await save(flow('named'))
  const message = expect.stringMatching(/key: must be .* and must not have the form of an id$/)
  for (const key of [named.id, '01890a5d-ac96-774b-bcce-b302099a8057']) {
    const saved = await save(flow(key))
    expect([saved.status, saved.body.error]).toEqual([400, expect.objectContaining({ param: 'key', message })])
    const pushed = await client.post('/content/push', { documents: [{ document: flow(key) }] })
    expect(pushed.body.error).toMatchObject({ param: 'documents[0].document.key', message })
    const condition = { attribute: 'plan', is: 'exists' }
    expect((await client.post('/segments', { key, condition })).body.error).toMatchObject({ param: 'key', message })
  }
  expect((await save(flow(named.id.slice(0, -1), { name: 'Short' }))).status).toBe(200)
})

it('the same document again changes nothing', async () => {
  const first = (await save(flow('same'))).body
  const again = (await save({ ...flow('same') })).body
  expect(again.draft_version.revision).toBe(first.draft_version.revision)
  expect(await auditOf(first.id)).toEqual(['content.created'])
})

it('a save or a publish that was made from another draft is 409, and changes nothing', async () => {
  const { body } = await save(flow('two-editors'), { expected_draft: 'new' })
  await save(flow('two-editors', { name: 'first' }), { expected_draft: '1.1' })
  const late = await save(flow('two-editors', { name: 'second' }), { expected_draft: '1.1' })
  expect([late.status, late.body.error.code]).toEqual([409, 'draft_changed'])
  expect(late.body.error.message).toMatch(/The draft is 1\.2 now, not 1\.1: .+ changed it at/)
  expect((await save(flow('two-editors'), { expected_draft: 'new' })).status).toBe(409)
  expect((await publish(body.id, { expected_draft: '1.1' })).status).toBe(409)
  expect(await get(`/content/${body.id}`)).toMatchObject({ name: 'first', published_version_id: null })
})

it('of many simultaneous saves from one draft exactly one counts', async () => {
  const { body } = await save(flow('race'))
  const saves = Array.from({ length: 10 }, (_, n) => save(flow('race', { name: `n${n}` }), { expected_draft: '1.1' }))
  const statuses = (await Promise.all(saves)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect((await get(`/content/${body.id}?expand=draft_version`)).draft_version.revision).toBe('1.2')
})

it('an older version can be published again, and unpublishing takes the content down', async () => {
  const { id } = (await save(flow('older'))).body
  await publish(id)
  await save(flow('older', { name: 'newer' }))
  const second = (await publish(id)).body
  const back = (await publish(id, { version: 1 })).body
  expect(back.published_version_id).not.toBe(second.published_version_id)
  expect(back.draft_version_id).toBe(back.published_version_id)
  expect([second.name, back.name]).toEqual(['newer', flow('older').name])
  expect((await publish(id, { description: 'a\0' })).status).toBe(400)
  expect((await server.client.post(`/content/${id}/unpublish`, {})).body.published_version_id).toBeNull()
  expect((await publish(id, { version: 9 })).body.error.message).toBe('version: there is no version 9')
})

it('a document with problems is refused with all of them, and what cannot work is not published', async () => {
  const wrong = await save({ ...flow('wrong'), name: '', steps: [{ key: 'a', type: 'modal' }] })
  expect([wrong.status, wrong.body.error.message]).toEqual([
    400,
    'name: must not be empty; steps[0].type: must be one of tooltip, dialog, hidden',
  ])
  const steps = [
    { key: 'a', type: 'dialog', blocks: [], buttons: [{ label: 'x', do: [{ go_to: 'nowhere' }] }] },
    { key: 'b', type: 'dialog', blocks: [{ heading: 'b' }] },
  ]
  const { id } = (await save({ ...flow('dead'), theme: 'gone', steps, who: { segment: 'gone', is: 'in' } })).body
  const { status, body } = await publish(id)
  expect(status).toBe(400)
  for (const part of [
    'steps[0].buttons[0].do[0].go_to: there is no step `nowhere`',
    'steps[0].blocks: the step `a` has no blocks',
    'steps[1]: the step `b` is a dead end',
    'steps[1]: no way leads to the step `b`',
    'theme: there is no theme `gone`',
    'who.segment: there is no segment `gone`',
  ])
    expect(body.error.message).toContain(part)
  expect(body.error.problems).toContainEqual({ param: 'theme', message: 'there is no theme `gone`' })
  expect(body.error.problems).toHaveLength(6)
})

it('does not publish an action whose event would be refused, and warns of one that sets what the back end writes', async () => {
  await server.client.post('/users', { id: 'of-back-end', attributes: { tier: 'gold' } })
  const saved = async (...actions: object[]) => {
    const buttons = [{ label: 'x', do: [...actions, { end: 'completed' }] }]
    const steps = [{ key: 'a', type: 'dialog', blocks: [{ heading: 'a' }], buttons }]
    return (await save({ ...flow('internal'), steps })).body.id
  }
  const id = await saved({ track: 'asked', attributes: { flow_id: 'x', amount: 3, constructor: 'x' } })
  const message = '`flow_id` is written by Usher itself: leave it out, or use another name'
  const problem = { param: 'steps[0].buttons[0].do[0].attributes.flow_id', message }
  const { status, body } = await publish(id)
  expect([status, body.error.message]).toEqual([400, `${problem.param}: ${message}`])
  expect((await publish(id, { dry_run: true })).body.problems).toEqual([problem])
  await saved({ set: 'onboarded', value: true }, { set: 'tier', value: 'silver' })
  const { warnings } = (await publish(id, { dry_run: true })).body
  expect(warnings.filter(({ param }: { param: string }) => param.endsWith('.set'))).toEqual([
    expect.objectContaining({ param: 'steps[0].buttons[0].do[1].set' }),
  ])
})

it('warns of an answer to a question that its content does not ask', async () => {
  const question = { question: 'ease', kind: 'nps', label: '0 to 10' }
  const buttons = [{ label: 'x', do: [{ end: 'completed' }] }]
  await save({ ...flow('asks'), steps: [{ key: 'a', type: 'dialog', blocks: [question], buttons }] })
  const answered = (name: string) => ({ answer: 'asks', question: name, is: 'at_least', value: 9 })
  const who = { any: [answered('ease'), { not: answered('eas') }] }
  const { id } = (await save({ ...flow('compares-answers'), who })).body
  const { problems, warnings } = (await publish(id, { dry_run: true })).body
  expect(problems).toEqual([])
  expect(warnings.filter(({ param }: { param: string }) => param.startsWith('who'))).toEqual([
    { param: 'who.any[1].not.question', message: 'neither the draft nor the published version of `asks` asks `eas`' },
  ])
  expect((await publish(id)).status).toBe(200)
})

it('warns of such an answer in a segment too, and does not publish with a segment that names content that there is not', async () => {
  const { client } = server
  const answered = (content: string) => ({ answer: content, question: 'eas', is: 'exists' })
  await client.post('/segments', { key: 'inner', condition: { any: [answered('asks'), answered('asks')] } })
  await client.post('/segments', { key: 'outer', condition: { segment: 'inner', is: 'in' } })
  const { id } = (await save({ ...flow('by-segment'), who: { segment: 'outer', is: 'in' } })).body
  const { problems, warnings } = (await publish(id, { dry_run: true })).body
  expect([problems, warnings.filter(({ param }: { param: string }) => param.endsWith('segment'))]).toEqual([
    [],
    [
      {
        param: 'who.segment',
        message: 'neither the draft nor the published version of `asks` asks `eas`, which the segment `inner` compares',
      },
    ],
  ])
  await client.post('/segments', { key: 'inner', condition: { content: 'gone', is: 'seen' } })
  expect((await publish(id)).body.error.message).toBe(
    'who.segment: the segment `inner` names the content `gone`, which there is not',
  )
})

it('who gains by one of several groups is told of with that group', async () => {
  const groups = ['plain', 'large', 'other'].map((id) => ({
    id,
    attributes: { seats_of_plan: id === 'large' ? 9 : 1 },
  }))
  for (const group of groups) await server.client.post('/groups', group)
  await server.client.post('/users', { id: 'in-several', groups: groups.map(({ id }) => ({ id })) })
  const who = { attribute: 'seats_of_plan', of: 'group', is: 'at_least', value: 5 } as const
  const { id } = (await save({ ...flow('of-groups', { who }) })).body
  const { gains } = (await publish(id, { dry_run: true })).body
  expect(gains).toEqual({
    ...{ count: 1, exact: true },
    samples: [{ user_id: 'in-several', sentence: expect.stringMatching(/^Shown/) }],
  })
})

it('what Usher writes on events is compared as text', async () => {
  const own = { attribute: 'flow_id', is: 'equals', value: 'x' }
  const who = { event: 'flow_completed', where: [own] }
  const { id } = (await save({ ...flow('own-events'), who })).body
  expect((await publish(id)).status).toBe(200)
  const segment = { key: 'own-events', name: 'Own', scope: 'user', condition: who, dry_run: true }
  expect((await server.client.post('/segments', segment)).body.warnings).toEqual([])
})

it('a refused push has the path of each field, and names the content that somebody has changed', async () => {
  const { body: saved } = await save(flow('pushed'))
  const push = (documents: object[], more = {}) => server.client.post('/content/push', { documents, ...more })
  const wrong = await push([{ document: { ...exampleBanner, key: 'pushed' } }])
  expect(wrong.body.error.param).toBe('documents[0].document.type')
  const unthemed = await push([{ document: flow('pushed', { theme: 'gone' }) }], { publish: true, dry_run: true })
  expect(unthemed.body.error.param).toBe('documents[0].document.theme')
  const late = await push([{ document: flow('pushed', { name: 'x' }), expected_draft: '7.7' }])
  expect(late.body.error.message).toContain('The draft of `pushed` is 1.1 now, not 7.7')
  const fits = await push([{ document: flow('pushed', { name: 'x' }) }], { publish: true, dry_run: true })
  expect(fits.body).toEqual({
    ...{ object: 'content_push', content: [], kept: [] },
    warnings: [expect.objectContaining({ param: 'documents[0].document.steps[0].target' })],
  })
  expect(await get(`/content/${saved.id}`)).toMatchObject({ name: 'pushed', published_version_id: null })
})

it('a repeat of a push by its key has the answer of the first, and counts nobody again', async () => {
  const documents = [{ document: flow('pushed-once', { who: { attribute: 'plan', is: 'equals', value: 'nobody' } }) }]
  const push = () =>
    server.client.post('/content/push', { documents, publish: true }, { 'idempotency-key': 'pushed-once' })
  const { body } = await push()
  expect(body.warnings).toContainEqual({ param: 'documents[0].document.who', message: 'nobody matches now' })
  const queries = vi.spyOn(server.database, 'query')
  onTestFinished(() => queries.mockRestore())
  expect((await push()).body).toEqual(body)
  expect(queries.mock.calls.filter(([statement]) => /\busers\b/.test(String(statement)))).toEqual([])
})

it('a plan has samples of those whose answer changes, with the reason', async () => {
  await server.client.post('/users', { id: 'sampled', attributes: { plan: 'sampled' } })
  const { id } = (await save(flow('sampling', { who: { attribute: 'plan', is: 'equals', value: 'sampled' } }))).body
  const plan = (await publish(id, { dry_run: true })).body
  expect(plan.samples).toEqual([{ user_id: 'sampled', change: 'gains', sentence: expect.stringMatching(/^Shown/) }])
})

it('the kind of a content never changes', async () => {
  await save({ ...exampleBanner, key: 'kind' })
  expect((await save(flow('kind'))).body.error.message).toBe('type: is flow, and the content with this key is a banner')
})

it('lists are filtered, ordered, paged and expanded', async () => {
  await save({ ...exampleChecklist, key: 'z-list', name: 'AAA' })
  await save({ ...exampleLauncher, key: 'launch' })
  const keysOf = async (query: string) => (await get(`/content?${query}`)).data.map(({ key }: { key: string }) => key)
  expect(await keysOf('key=z-list')).toEqual(['z-list'])
  expect(await keysOf('key=z-list&type=flow')).toEqual([])
  expect(await keysOf('type=checklist&key=z-list')).toEqual(['z-list'])
  for (const nothing of ['key=nowhere', 'key=', 'key=%27']) expect(await keysOf(nothing)).toEqual([])
  const checklists = await get('/content?type=checklist&expand[]=draft_version.tasks')
  expect(checklists.data.map(({ key }: { key: string }) => key)).toEqual(['z-list'])
  const [task] = checklists.data[0].draft_version.tasks
  expect(task).toMatchObject({ object: 'task', cvid: 'invite', name: 'Invite your team' })
  const byName = await get('/content?order_by=name&limit=1')
  expect(byName.data[0].name).toBe('AAA')
  const next = await get(byName.next_page_url.slice(server.url.length))
  expect(next.data[0].id).not.toBe(byName.data[0].id)
  const { draft_version_id } = checklists.data[0]
  const version = await get(`/content_versions/${draft_version_id}?expand=content,questions,document`)
  expect(version).toMatchObject({ content: { key: 'z-list' }, questions: [], document: { key: 'z-list' }, tasks: null })
  const deep = await server.client.get(`/content?expand=${Array(5).fill('draft_version').join('.')}`)
  expect(deep.body.error.message).toContain('a content can expand draft_version, published_version; a content_version')
  const missing = await server.client.get('/content?starting_after=019b7a1e-2f00-7cc3-98c4-dc0c0c07398f')
  expect(missing.body.error.message).toMatch(/^starting_after: Content with id '.+' not found$/)
})

it('writes expand their answer, by the query or by the body', async () => {
  const saved = await server.client.post('/content?expand=draft_version.questions', flow('expanded'))
  const { id } = saved.body
  expect(saved.body.draft_version.questions).toEqual([expect.objectContaining({ cvid: 'ease' })])
  const published = await publish(id, { expand: ['published_version.document', 'draft_version'] })
  expect(published.body).toMatchObject({
    draft_version: { number: 1, document: null },
    published_version: { number: 1, document: { key: 'expanded' } },
  })
  const edited = await save(flow('expanded', { name: 'Edited' }), { expand: 'published_version' })
  expect(edited.body).toMatchObject({ draft_version: { number: 2 }, published_version: { number: 1 } })
  const unpublished = await server.client.post(
    `/content/${id}/unpublish?expand[]=draft_version&expand[]=published_version`,
    {},
  )
  expect(unpublished.body).toMatchObject({ draft_version: { number: 2 }, published_version: null })
  const wrong = await server.client.post(`/content/${id}/publish?expand=versions`, {})
  expect(wrong.body.error.message).toBe(
    "expand: 'versions' is not a path; a content can expand draft_version, published_version",
  )
  expect((await get(`/content/${id}`)).published_version_id).toBeNull()
})

it('the id of a question is of one version, its cvid of all', async () => {
  const { id } = (await save(flow('questions'))).body
  await publish(id)
  await save(flow('questions', { name: 'again' }))
  const { data } = await get(`/content_versions?content_id=${id}&expand=questions`)
  const [first, second] = data.map(({ questions }: { questions: { id: string; cvid: string }[] }) => questions[0])
  expect([first.cvid, second.cvid]).toEqual(['ease', 'ease'])
  expect(first.id).not.toBe(second.id)
})

it('a version is read without its document where nothing of it is shown', async () => {
  const options = Array.from({ length: 100 }, (_, n) => `${n} ${'x'.repeat(50)}`)
  const who = { all: Array.from({ length: 5 }, () => ({ attribute: 'plan', is: 'one_of' as const, values: options })) }
  const { id } = (await save(flow('long', { who }))).body
  const bytesRead = async (path: string) => {
    const spy = vi.spyOn(server.database, 'query')
    const body = await get(path)
    const answers = await Promise.all(spy.mock.results.map(({ value }) => value))
    spy.mockRestore()
    return { body, bytes: JSON.stringify(answers).length }
  }
  const list = await bytesRead(`/content_versions?content_id=${id}`)
  expect(list.body.data).toMatchObject([{ number: 1, document: null, questions: null, tasks: null }])
  const content = await bytesRead(`/content?key=long&expand=draft_version`)
  expect(content.body.data).toMatchObject([{ draft_version: { number: 1, document: null } }])
  for (const { bytes } of [list, content]) expect(bytes).toBeLessThan(20_000)
  for (const part of ['document', 'questions', 'tasks']) {
    const { data } = await get(`/content_versions?content_id=${id}&expand=${part}`)
    expect(data[0][part]).not.toBeNull()
  }
  await server.client.delete(`/content/${id}`)
})

it('deleting answers the same whether there was such content or not, and the key is free again', async () => {
  const { id } = (await save(flow('gone'))).body
  const answer = { id, object: 'content', deleted: true }
  expect((await server.client.delete(`/content/${id}`)).body).toEqual(answer)
  expect((await server.client.delete(`/content/${id}`)).body).toEqual(answer)
  expect((await server.client.get(`/content/${id}`)).status).toBe(404)
  expect((await save({ ...exampleBanner, key: 'gone' })).body.id).not.toBe(id)
})

it('an environment has at most 500 contents', async () => {
  const before = (await server.database.query<{ n: number }>('select count(*)::int as n from content', []))[0]?.n ?? 0
  await server.database.query(
    `insert into content (environment_id, id, key, type, name, draft_version_id, created_at)
     select $1::int, gen_random_uuid(), 'filler-' || n, 'flow', 'x', gen_random_uuid(), now()
       from generate_series(1, $2::int) as n`,
    [server.environmentId, limits.contentPerEnvironment - before],
  )
  expect((await save(flow('one-more'))).body.error.message).toContain('at most 500 contents')
  await server.database.query(`delete from content where key like 'filler-%'`, [])
})

it('at most 100 contents are published at once, by one and by many', async () => {
  const { id } = (await save(flow('one-too-many'))).body
  const [{ count } = { count: 0 }] = await server.database.query<{ count: number }>(
    'select count(published_version_id)::int as count from content',
    [],
  )
  await server.database.query(
    `insert into content (environment_id, id, key, type, name, draft_version_id, published_version_id, published_at, created_at)
     select $1::int, gen_random_uuid(), 'filler-' || n, 'flow', 'x', version, version, now(), now()
       from (select n, gen_random_uuid() as version from generate_series(1, $2::int) as n) as fillers`,
    [server.environmentId, limits.publishedPerEnvironment - count],
  )
  const planned = await publish(id, { dry_run: true })
  expect(planned.body.problems).toEqual([{ param: '', message: expect.stringContaining('at most 100 published') }])
  const refused = await publish(id)
  expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining('at most 100 published')])
  const pushed = await server.client.post('/content/push', { documents: [{ document: flow('pushed') }], publish: true })
  expect([pushed.status, pushed.body.error.message]).toEqual([400, expect.stringContaining('at most 100 published')])
  await server.database.query(`delete from content where key like 'filler-%'`, [])
  expect((await publish(id)).status).toBe(200)
})

it('the published schema accepts what the server accepts, and needs no key', async () => {
  const response = await fetch(`${server.url}/schemas/content.json`)
  expect(response.status).toBe(200)
  const body = (await response.json()) as object
  const check = new Ajv2020({ strict: false, validateFormats: false }).compile(body)
  for (const document of [exampleFlow, exampleChecklist, exampleBanner, exampleLauncher])
    expect([check(document), check.errors]).toEqual([true, null])
  expect(check({ ...exampleFlow, colour: 'red' })).toBe(false)
})

it('lists with documents are read a few at a time', async () => {
  const { listReader } = server.services
  const read = listReader.read.bind(listReader)
  const released = Promise.withResolvers<void>()
  let begun = 0
  const spy = vi.spyOn(listReader, 'read').mockImplementation(async (run) => {
    begun += 1
    await released.promise
    return await read(run)
  })
  onTestFinished(() => {
    released.resolve()
    spy.mockRestore()
  })
  const expand = ['draft_version.document', 'published_version.content.draft_version.questions']
  const lists = Promise.all(
    Array.from({ length: 6 }, (_, index) => server.client.get(`/content?expand=${expand[index % 2]}`)),
  )
  await expect.poll(() => server.services.concurrency.active).toBe(6)
  await expect.poll(() => begun).toBeGreaterThan(1)
  expect(begun).toBe(2)
  released.resolve()
  // On a busy machine some may have waited for too long.
  expect((await lists).filter(({ status }) => status === 200).length).toBeGreaterThan(1)
})
