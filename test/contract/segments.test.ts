import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { startTestServer, type TestServer } from '../support/client.ts'
import type { Json } from '../support/requests.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  const { client } = server
  await client.post('/groups', { id: 'oak', attributes: { plan: 'growth', seats: 3 } })
  await client.post('/groups', { id: 'elm', attributes: { plan: 'free', seats: 9 } })
  const groups = [{ id: 'oak' }, { id: 'elm' }]
  await client.post('/users', { id: 'ada', attributes: { name: 'Ada', role: 'owner' }, groups })
  await client.post('/users', { id: 'bob', attributes: { name: 'Bob', role: 5 }, groups: [{ id: 'oak' }] })
  await client.post('/users', { id: 'cleo', attributes: { name: 'Cleo' } })
  for (const user_id of ['ada', 'ada', 'bob']) await client.post('/events', { name: 'exported', user_id })
})
afterAll(async () => await server.close())

const save = (key: string, condition: object, more: object = {}) =>
  server.client.post('/segments', { key, condition, ...more })
const ids = ({ body }: Json) => body.data.map(({ id }: Json) => id)
const plan = { attribute: 'plan', of: 'group', is: 'equals', value: 'growth' }
const seats = { attribute: 'seats', of: 'group', is: 'at_least', value: 5 }

it('a segment is saved, read by its key and its id, replaced under its key, and listed', async () => {
  const { client } = server
  const { body } = await save('growing', plan, { name: 'Growing teams' })
  expect(body).toMatchObject({
    object: 'segment',
    scope: 'user',
    sentence: 'the group\'s plan is "growth"',
    used_by: [],
  })
  expect((await client.get('/segments/growing')).body).toEqual(body)
  expect((await client.get(`/segments/${body.id}`)).body).toEqual(body)
  expect((await client.get(`/segments/${body.id.toUpperCase()}`)).body).toEqual(body)
  const replaced = (await save('growing', { all: [plan, seats] })).body
  expect(replaced).toMatchObject({ id: body.id, name: 'Growing teams', created_at: body.created_at })
  await save('another', { event: 'exported' })
  const listed = await client.get('/segments?order_by=name&limit=1')
  expect(ids(listed)).toHaveLength(1)
  expect(listed.body.has_more).toBe(true)
  const sent = await client.post('/segments', replaced)
  expect([sent.status, sent.body.condition]).toEqual([200, replaced.condition])
})

it('a user of several groups is in a segment when one of the groups fits, and not when two fit a half each', async () => {
  const { client } = server
  await save('planned', plan)
  await save('both', { all: [plan, seats] })
  expect(ids(await client.get('/users?segment=planned&order_by=attributes.name'))).toEqual(['ada', 'bob'])
  expect(ids(await client.get('/users?segment=both'))).toEqual([])
  const count = (await client.post('/segments/count', { segment: 'both' })).body
  expect(count).toMatchObject({
    count: 0,
    exact: true,
    lines: [
      { path: 'all[0]', count: 2 },
      { path: 'all[1]', count: 1 },
    ],
  })
  const { body } = await client.post('/segments/explain', { segment: 'both', user_id: 'ada', group_id: 'oak' })
  expect(body).toMatchObject({ met: false, group_id: 'oak', sentence: "the group's seats is 3, at least 5 are needed" })
})

it('pages by any order of the list, with expansions, and keeps its place', async () => {
  const { client } = server
  await save('active', { event: 'exported' })
  const first = await client.get('/users?segment=active&limit=1&order_by=-attributes.name&expand=groups')
  expect([ids(first), first.body.has_more]).toEqual([['bob'], true])
  expect(first.body.data[0].groups.map(({ id }: Json) => id)).toEqual(['oak'])
  const second = await client.get(first.body.next_page_url.slice(server.url.length))
  expect([ids(second), second.body.has_more]).toEqual([['ada'], false])
  const third = await client.get(second.body.next_page_url.slice(server.url.length))
  expect([ids(third), third.body.has_more]).toEqual([[], false])
})

it('a segment of groups has groups as members', async () => {
  const { client } = server
  const saved = await save('large', seats, { scope: 'group' })
  expect(saved.body.scope).toBe('group')
  expect(ids(await client.get('/groups?segment=large'))).toEqual(['elm'])
  expect((await client.post('/segments/count', { segment: 'large' })).body).toMatchObject({ count: 1 })
  const { body } = await client.post('/segments/explain', { segment: 'large', group_id: 'oak' })
  expect(body).toMatchObject({ met: false, leaves: [{ path: '', value: 3, met: false }] })
  expect((await client.get('/users?segment=large')).body.error.message).toContain('list it with GET /groups')
  await save('in-large', { segment: 'large', is: 'in' })
  expect(ids(await client.get('/users?segment=in-large'))).toEqual(['ada'])
})

it('a segment of a version that users are inside of is not deleted, though a newer version does not use it', async () => {
  const { client } = server
  await save('inside', { attribute: 'plan', is: 'exists' })
  const steps = [
    {
      ...{ key: 'wait', type: 'hidden', wait_until: { segment: 'inside', is: 'in' } },
      ...{ advance: [{ on: 'otherwise' }], timeout: { after: '1m', to: 'end' } },
    },
    { key: 'end', type: 'dialog', blocks: [{ heading: 'Done' }], buttons: [{ label: 'OK', do: [{ next: true }] }] },
  ]
  const document = { key: 'waiting', type: 'flow', name: 'Waiting', steps }
  const { body: content } = await client.post('/content', document)
  expect((await client.post(`/content/${content.id}/publish`, {})).status).toBe(200)
  const { body: claim } = await client.post('/content_sessions', { content: 'waiting', user_id: 'ada', holder: 'h' })
  const seen = { holder: 'h', reports: [{ sequence: 1, type: 'step_seen', step: 'wait' }] }
  await client.post(`/content_sessions/${claim.id}/progress`, seen)
  await client.post('/content', { ...document, steps: steps.slice(1) })
  await client.post(`/content/${content.id}/publish`, { inside: 'finish' })
  expect((await client.get('/segments/inside')).body.used_by).toEqual([{ object: 'content', key: 'waiting' }])
  expect((await client.delete('/segments/inside')).status).toBe(409)
  await client.post(`/content_sessions/${claim.id}/end`, {})
  expect((await client.delete('/segments/inside')).status).toBe(200)
})

it('a segment that is used is not deleted, and is deleted afterwards', async () => {
  const { client, database, environmentId } = server
  await save('staff', { attribute: 'role', is: 'equals', value: 'owner' }, { name: 'Our staff' })
  expect((await save('others', { not: { segment: 'staff', is: 'in' } })).body.sentence).toBe(
    'not in the segment Our staff',
  )
  expect((await client.get('/segments/staff')).body.used_by).toEqual([{ object: 'segment', key: 'others' }])
  const refused = await client.delete('/segments/staff')
  expect([refused.status, refused.body.error.code]).toEqual([409, 'in_use'])
  expect((await client.delete('/segments/others')).status).toBe(200)
  expect((await client.delete('/segments/staff')).body).toEqual({ id: 'staff', object: 'segment', deleted: true })
  expect((await client.delete('/segments/staff')).status).toBe(200)
  const audited = await database.query<{ action: string }>(
    "select action from audit_entries where target_kind = 'segment' and target_name = 'Our staff' order by id",
    [],
  )
  expect(audited.map(({ action }) => action)).toEqual(['segment.created', 'segment.deleted'])
  const [guidance] = await database.query<{ revision: string }>(
    'select revision from guidance where environment_id = $1::int',
    [environmentId],
  )
  expect(Number(guidance?.revision)).toBeGreaterThan(4)
})

it('names every problem with its path, and stores nothing', async () => {
  const { client } = server
  const { body } = await save('wrong', { all: [{ event: 'x', within: '7' }, { url: '/x' }, { any: [] }] })
  expect(body.error.message).toBe(
    'condition.all[0].within: must be a duration such as 7d (s, m, h, d or w), at most 999999, or 99999w; condition.all[1].url: is decided in the page; use it in where, advance or visible_when; condition.all[2].any: must not be empty',
  )
  expect((await client.get('/segments/wrong')).status).toBe(404)
  await save('first', { event: 'x' })
  await save('second', { segment: 'first', is: 'in' })
  expect((await save('first', { all: [{ segment: 'second', is: 'not_in' }] })).body.error.message).toBe(
    'condition.all[0].segment: second refers back to first, which would be a cycle',
  )
  expect((await save('third', { segment: 'nowhere', is: 'in' })).body.error).toMatchObject({
    param: 'condition.segment',
    message: "condition.segment: there is no segment 'nowhere'; save it first",
  })
  expect((await save('first', { event: 'y', by: 'group' }, { scope: 'group' })).status).toBe(400)
  expect((await client.get('/users?segment=nowhere')).body.error.param).toBe('segment')
})

it('segments of segments do not grow without end', async () => {
  const leaves = (key: string) => ({ any: [1, 2].map(() => ({ segment: key, is: 'in' })) })
  await save('level-0', { any: Array.from({ length: 100 }, (_, n) => ({ event: `e${n}` })) })
  for (let level = 1; level <= 3; level += 1)
    expect((await save(`level-${level}`, leaves(`level-${level - 1}`))).status).toBe(200)
  expect((await save('level-4', leaves('level-3'))).body.error.message).toContain(
    'has 1600 leaves with those of its segments',
  )
  const more = { any: Array.from({ length: 100 }, () => ({ segment: 'level-1', is: 'in' })) }
  await save('beside', { event: 'x' })
  await save('above', { any: Array.from({ length: 9 }, () => ({ segment: 'beside', is: 'in' })) })
  expect((await save('beside', { segment: 'level-1', is: 'in' })).body.error.message).toBe(
    "condition: with it, the segment 'above' has 1800 leaves with those of its segments; at most 1000 are allowed",
  )
  expect((await save('beside', more)).body.error.message).toContain('condition: has 20000 leaves')
})

it('a segment grows no further than what is published with it may have leaves', async () => {
  const { client } = server
  const wide = (leaves: number) => ({ any: Array.from({ length: leaves }, (_, n) => ({ event: `w${n}` })) })
  await save('wide', wide(90))
  const who = { all: Array.from({ length: 11 }, () => ({ segment: 'wide', is: 'in' })) }
  const steps = [
    { key: 'a', type: 'dialog', blocks: [{ heading: 'A' }], buttons: [{ label: 'B', do: [{ next: true }] }] },
  ]
  const { body: content } = await client.post('/content', { key: 'wide-one', type: 'flow', name: 'Wide', who, steps })
  expect((await client.post(`/content/${content.id}/publish`, {})).status).toBe(200)
  for (const more of [{}, { dry_run: true }])
    expect((await save('wide', wide(91), more)).body.error).toMatchObject({
      param: 'condition',
      message:
        "condition: with it, who of the content 'wide-one' has 1001 leaves with those of its segments; at most 1000 are allowed. Shorten it, or publish that content with fewer",
    })
  expect((await client.get('/segments/wide')).body.condition).toEqual(wide(90))
  expect((await save('wide', wide(5))).status).toBe(200)
  expect((await save('wide', wide(90))).status).toBe(200)
})

it('warns of an answer to a question that no content asks', async () => {
  const condition = { any: [{ not: { answer: 'nowhere', question: 'ease', is: 'at_least', value: 9 } }] }
  expect((await save('unasked', condition)).body.warnings).toEqual([
    'condition.any[0].not.question: neither the draft nor the published version of `nowhere` asks `ease`',
  ])
})

it('a dry run checks everything and stores nothing; a comparison of another type is a warning', async () => {
  const condition = { attribute: 'name', is: 'at_least', value: 5 }
  const { status, body } = await save('tried', condition, { dry_run: true })
  expect([status, body.warnings]).toEqual([200, ['condition: name is a text, and is compared as a number']])
  expect((await server.client.get('/segments/tried')).status).toBe(404)
})

it('explains every leaf with its value, also within not and for a value of another type', async () => {
  const condition = {
    all: [
      { attribute: 'role', is: 'equals', value: 'owner' },
      { not: { event: 'exported' } },
      { event: 'opened', at_least: 2, within: '7d' },
    ],
  }
  const { body } = await server.client.post('/segments/explain', { condition, user_id: 'bob' })
  expect(body).toMatchObject({
    object: 'receipt',
    met: false,
    sentence: 'role is the number 5, the condition compares text',
    leaves: [
      { path: 'all[0]', met: false, value: 5, needed: '"owner" is needed' },
      { path: 'all[1].not', met: false, value: 1, sentence: 'exported happened once or more often, never is needed' },
      {
        path: 'all[2]',
        met: false,
        value: 0,
        sentence: 'opened never happened in the last 7 days, at least 2 times are needed',
      },
    ],
  })
  expect((await server.client.post('/segments/explain', { condition, user_id: 'nobody' })).status).toBe(404)
})

it('lists of members that take long leave connections for the requests of others', async () => {
  const { client, otherClient, services } = server
  await save('slow', { event: 'exported' })
  const { database } = services
  const queryUnprepared = database.queryUnprepared.bind(database)
  const released = Promise.withResolvers<void>()
  let begun = 0
  const spy = vi.spyOn(database, 'queryUnprepared').mockImplementation(async (text, values) => {
    if (!text.includes('looked_at')) return await queryUnprepared(text, values)
    begun += 1
    await released.promise
    return await queryUnprepared(text, values)
  })
  onTestFinished(() => {
    released.resolve()
    spy.mockRestore()
  })
  const lists = Promise.all(Array.from({ length: 20 }, () => client.get('/users?segment=slow')))
  await expect.poll(() => services.concurrency.active).toBe(20)
  await expect.poll(() => begun).toBeGreaterThan(2)
  expect((await otherClient.get('/users')).status).toBe(200)
  expect(begun).toBe(3)
  released.resolve()
  expect((await lists).map(({ status }) => status)).toEqual(Array<number>(20).fill(200))
})
