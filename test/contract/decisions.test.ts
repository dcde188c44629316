import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Condition } from '../../contract/conditions/condition.ts'
import { exampleBanner, exampleFlow, exampleLauncher } from '../../contract/content/examples.ts'
import { changeGuidance } from '../../server/content/settings.ts'
import { Decisions } from '../../server/decisions/decisions.ts'
import { startTestServer, type TestServer } from '../support/client.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  const groups = [{ id: 'acme', attributes: { plan: 'growth' } }]
  await server.client.post('/users', { id: 'ada', attributes: { seats: 3, name: 'Ada' }, groups })
  await server.client.post('/users', { id: 'eve', attributes: { seats: 9 }, groups: [...groups, { id: 'other' }] })
  await server.client.post('/events', { name: 'report_made', user_id: 'ada' })
})
afterAll(() => server.close())

async function published(document: object): Promise<string> {
  const { body } = await server.client.post('/content', document)
  const { status, body: answer } = await server.client.post(`/content/${body.id}/publish`, {})
  expect([status, answer.error?.message]).toEqual([200, undefined])
  return body.id
}

it('the longest windows and pauses are decided, counted and told', async () => {
  const longest = ['999999s', '999999m', '999999h', '999999d', '99999w']
  const windows = longest.flatMap((within): Condition[] => [
    { event: 'report_made', within },
    { content: 'long', is: 'not_seen', within },
    { attribute: 'born', is: 'within_next', value: within },
    { attribute: 'born', is: 'less_than_ago', value: within },
  ])
  const condition = { any: windows }
  expect((await server.client.post('/segments/count', { condition })).status).toBe(200)
  const id = await published(flow('long', { who: condition, when: { frequency: { every: '99999w' }, wait: '99999w' } }))
  expect(await sentence('long', 'ada')).toBe('Shown')
  const claim = { content: 'long', user_id: 'ada', holder: 'h' }
  const { body } = await server.client.post('/content_sessions', claim)
  const reports = [
    { sequence: 1, type: 'step_seen', step: exampleFlow.steps[0]?.key },
    { sequence: 2, type: 'ended', reason: 'escape' },
  ]
  await server.client.post(`/content_sessions/${body.id}/progress`, { holder: 'h', reports })
  expect(await sentence('long', 'ada')).toMatch(/^Not shown: /)
  expect((await server.client.post('/content_sessions', claim)).body.error.code).toBe('not_again_before')
  await unpublish(id)
})

it('receipts that are asked for at once are made one after the other, so that each can be sent before the next', async () => {
  const id = await published(flow('asked-at-once'))
  const decisions = new Decisions(server.services.database, server.services.facts)
  const decideAll = () =>
    decisions.decide(server.environmentId, { userId: 'ada', groupId: undefined, hasReceipts: true })
  await decideAll()
  const made: number[] = []
  let turn = 0
  const count = () => {
    turn += 1
    if (made.length < 9) setImmediate(count)
  }
  count()
  await Promise.all(Array.from({ length: 9 }, () => decideAll().then(() => made.push(turn))))
  expect(new Set(made).size).toBe(9)
  await unpublish(id)
})

it('content is named by its id in upper case too', async () => {
  const id = await published(flow('upper'))
  const content = id.toUpperCase()
  const { body } = await server.client.post('/decisions', { user_id: 'ada', content, receipts: true })
  expect([body.content[0]?.id, body.receipts[0]?.content_id]).toEqual([id, id])
  const claim = await server.client.post('/content_sessions', { content, user_id: 'ada', holder: 'h' })
  expect([claim.status, claim.body.content_id]).toEqual([200, id])
  await unpublish(id)
})

it('of a key from before that is the id of other content, the key is meant', async () => {
  const [other, id] = [await published(flow('other')), await published(flow('named-as-other'))]
  const update = (key: string) =>
    server.database.query('update content set key = $3::text where environment_id = $1::int and id = $2::uuid', [
      server.environmentId,
      id,
      key,
    ])
  await update(other)
  await server.database.query('update guidance set revision = revision + 1 where environment_id = $1::int', [
    server.environmentId,
  ])
  const { body } = await server.client.post('/decisions', { user_id: 'ada', content: other, receipts: true })
  expect(body.content.map((decided: { id: string }) => decided.id)).toEqual([id])
  expect(body.receipts.map((receipt: { content_id: string }) => receipt.content_id)).toEqual([id])
  const claim = await server.client.post('/content_sessions', { content: other, user_id: 'ada', holder: 'h' })
  expect(claim.body.content_id).toBe(id)
  await update('named-as-other')
  await unpublish(other)
  await unpublish(id)
})

it('a document from before the limit of durations is decided with the longest, and the receipt says so', async () => {
  const of = (within: string) => ({
    any: [
      { event: 'never_made', within },
      { content: 'ancient', is: 'seen', within },
      { attribute: 'born', is: 'less_than_ago', value: within },
    ],
  })
  const when = { frequency: { every: '99999w' }, wait: '99999w' }
  await server.client.post('/segments', { key: 'ancient', name: 'Ancient', scope: 'user', condition: of('99999w') })
  const id = await published(flow('ancient', { who: { any: [...of('99999w').any, inAncient] }, when }))
  for (const [table, column] of [
    ['content_versions', 'document'],
    ['segments', 'condition'],
  ])
    await server.database.query(
      `update ${table} set ${column} = replace(${column}, '99999w', '999999w')
        where environment_id = $1::int and ${column} like '%ancient%'`,
      [server.environmentId],
    )
  await server.database.query('update guidance set revision = revision + 1 where environment_id = $1::int', [
    server.environmentId,
  ])
  expect(await sentence('ancient', 'ada')).toContain('999999 days (the longest; 999999w was asked for)')
  expect((await decide('ada')).content).toEqual([])
  const counted = await server.client.post('/segments/count', { segment: 'ancient' })
  expect([counted.status, counted.body.error.problems[0].param]).toEqual([400, 'condition.any[0].within'])
  expect((await server.client.get('/users?segment=ancient')).status).toBe(200)
  await unpublish(id)
})

const inAncient: Condition = { segment: 'ancient', is: 'in' }

const unpublish = (id: string) => server.client.post(`/content/${id}/unpublish`, {})

async function decide(user_id: string, more: object = {}) {
  const { status, body } = await server.client.post('/decisions', { user_id, ...more })
  expect(status).toBe(200)
  return body
}

async function sentence(key: string, user_id: string, more: object = {}): Promise<string> {
  const { receipts } = await decide(user_id, { content: key, receipts: true, ...more })
  return receipts[0].sentence
}

const flow = (key: string, more: object = {}) => ({
  ...exampleFlow,
  who: undefined,
  where: undefined,
  when: undefined,
  key,
  ...more,
})
const seats: Condition = { attribute: 'seats', is: 'at_least', value: 5 }

it('a decision about a key that cannot be stored is refused', async () => {
  const { status, body } = await server.client.post('/decisions', { user_id: 'ada', content: 'a\0' })
  expect([status, body.error.param]).toEqual([400, 'content'])
})

it('publishing counts with the next decision, and so does unpublishing', async () => {
  expect((await decide('ada')).content).toEqual([])
  const id = await published({ ...exampleBanner, key: 'now' })
  expect((await decide('ada')).content).toEqual([
    expect.objectContaining({ id, key: 'now', type: 'banner', slot: 'banner', where: null, wait_ms: 0, target: null }),
  ])
  await unpublish(id)
  expect((await decide('ada')).content).toEqual([])
})

it('a receipt names the value that decided, in words', async () => {
  const id = await published(flow('seats', { who: seats }))
  const { receipts, content } = await decide('ada', { content: 'seats', receipts: true })
  expect(content).toEqual([])
  expect(receipts[0]).toMatchObject({
    key: 'seats',
    outcome: 'hide',
    reason: 'who_not_met',
    sentence: 'Not shown: seats is 3, at least 5 are needed',
  })
  const who = receipts[0].gates.find(({ gate }: { gate: string }) => gate === 'who')
  expect(who).toMatchObject({ open: false, code: 'who_not_met', leaves: [{ path: '', met: false, value: 3 }] })
  expect(receipts[0].gates.map(({ gate }: { gate: string }) => gate)).toEqual([
    'published',
    'known',
    'frequency',
    'who',
    'quiet',
    'order',
    'where',
    'claim',
  ])
  expect((await decide('eve', { content: 'seats' })).content).toHaveLength(1)
  await unpublish(id)
})

it('a user that does not exist is unknown, and is not created', async () => {
  const unknown = { content: [], reason: 'user_unknown' }
  expect(await decide('nobody')).toMatchObject(unknown)
  expect(await decide('nobody', { content: 'no-such', receipts: true })).toMatchObject({ ...unknown, receipts: [] })
  expect(await decide('ada')).not.toHaveProperty('reason')
  const id = await published(flow('anyone'))
  expect(await sentence('anyone', 'nobody')).toBe('Not shown: there is no such user')
  expect((await server.client.get('/users/nobody')).status).toBe(404)
  await unpublish(id)
})

it('the current group is the named one, else the only one', async () => {
  const who: Condition = { attribute: 'plan', of: 'group', is: 'equals', value: 'growth' }
  const id = await published(flow('group', { who }))
  expect((await decide('ada', { content: 'group' })).group_id).toBe('acme')
  expect(await sentence('group', 'eve')).toContain('no group was named, and the user is in several: acme, other')
  expect((await decide('eve', { content: 'group', group_id: 'acme' })).content).toHaveLength(1)
  await unpublish(id)
})

it('a named group of which the user is no member does not count, and the answer and the receipt say so', async () => {
  const who: Condition = { attribute: 'plan', of: 'group', is: 'equals', value: 'growth' }
  const id = await published(flow('group', { who }))
  const notAMember = "the user is not a member of the group 'elsewhere'"
  for (const user of ['ada', 'eve']) {
    const decided = await decide(user, { content: 'group', group_id: 'elsewhere' })
    expect(decided).toMatchObject({ group_id: null, group_problem: notAMember, content: [] })
  }
  const named = { group_id: 'elsewhere' }
  expect(await sentence('group', 'ada', named)).toContain(`(${notAMember} that was named, but of acme)`)
  expect(await sentence('group', 'eve', named)).toContain(`(${notAMember} that was named, but of acme, other)`)
  expect(await decide('eve', { group_id: 'acme' })).not.toHaveProperty('group_problem')
  expect(await decide('eve')).not.toHaveProperty('group_problem')
  expect(await decide('nobody', named)).not.toHaveProperty('group_problem')
  await unpublish(id)
})

it('what passes is ordered by priority, then by who was published first, and a receipt names what comes before', async () => {
  const ids = [
    await published(flow('second')),
    await published(flow('third')),
    await published(flow('first', { when: { priority: 90 } })),
    await published({ ...exampleBanner, key: 'aside' }),
  ]
  const { content, receipts } = await decide('ada', { receipts: true })
  const keys = content.filter(({ slot }: { slot: string }) => slot === 'flow').map(({ key }: { key: string }) => key)
  expect(keys).toEqual(['first', 'second', 'third'])
  const third = receipts.find(({ key }: { key: string }) => key === 'third')
  expect([third.outcome, third.sentence]).toEqual(['show', 'Shown after first and second'])
  const banner = receipts.find(({ key }: { key: string }) => key === 'aside')
  expect(banner.sentence).toBe('Shown')
  const alone = await decide('ada', { content: 'third', receipts: true })
  expect(alone.content.map(({ key }: { key: string }) => key)).toEqual(['third'])
  expect(alone.receipts).toEqual([third])
  for (const id of ids) await unpublish(id)
})

it('a receipt names what is under way in its slot, which comes before all that starts by itself', async () => {
  const banner = (key: string) => ({ ...exampleBanner, who: undefined, where: undefined, key })
  const ids = [await published(banner('open')), await published(banner('waits')), await published(flow('beside'))]
  const claimed = await server.client.post('/content_sessions', { content: 'open', user_id: 'ada', holder: 'h' })
  const session = `/content_sessions/${claimed.body.id}`
  await server.client.post(`${session}/progress`, { holder: 'h', reports: [{ sequence: 1, type: 'shown' }] })
  const { receipts } = await decide('ada', { content: 'waits', receipts: true })
  expect(receipts[0]).toMatchObject({ outcome: 'show', sentence: 'Shown after open' })
  expect(receipts[0].gates).toContainEqual({ gate: 'order', open: true, code: null, behind: ['open'] })
  expect(await sentence('beside', 'ada')).toBe('Shown')
  await server.client.post(`${session}/end`, {})
  expect(await sentence('waits', 'ada')).toBe('Shown')
  for (const id of ids) await unpublish(id)
})

it('the page gets what only it can decide, and the server decides the rest', async () => {
  const where: Condition = { all: [{ url: '/projects/*' }, { any: [{ element: ['testid=x'] }, seats] }] }
  const id = await published({ ...exampleLauncher, do: [], key: 'where', where })
  const ada = (await decide('ada', { content: 'where' })).content[0]
  expect(ada.where).toEqual({ all: [{ url: '/projects/*' }, { element: ['testid=x'] }] })
  expect(ada.target).toMatchObject({ locators: ['testid=nav'], on_missing: 'wait', timeout_ms: 8000 })
  expect((await decide('eve', { content: 'where' })).content[0].where).toEqual({ url: '/projects/*' })
  expect(await sentence('where', 'eve')).toMatch(/^Shown where /)
  await unpublish(id)
  const no = await published({ ...exampleLauncher, do: [], key: 'nowhere', where: { all: [{ url: '/x' }, seats] } })
  expect(await sentence('nowhere', 'ada')).toContain('seats is 3')
  await unpublish(no)
})

it('events are counted at the moment of the decision', async () => {
  const id = await published(flow('events', { who: { event: 'report_made', at_least: 2 } }))
  expect(await sentence('events', 'ada')).toBe('Not shown: report_made happened once, at least 2 times are needed')
  await server.client.post('/events', { name: 'report_made', user_id: 'ada' })
  expect((await decide('ada', { content: 'events' })).content).toHaveLength(1)
  await unpublish(id)
})

it('the switch hides all content with the next decision', async () => {
  const id = await published(flow('switched'))
  const actor = { accountId: 1, kind: 'member', id: '1', name: 'Jun', address: null, requestId: null } as const
  const turn = async (isOff: boolean) =>
    await server.services.commits.submit(changeGuidance, server.environmentId, {
      job: { isOff },
      origin: { actor, environment: 'test' },
    })
  await turn(true)
  expect((await decide('ada')).content).toEqual([])
  expect(await sentence('switched', 'ada')).toBe('Not shown: all content of this environment is switched off')
  await turn(false)
  expect((await decide('ada')).content).toHaveLength(1)
  await unpublish(id)
})

it('content that is not published is explained by its draft', async () => {
  await server.client.post('/content', flow('draft', { who: seats }))
  expect(await sentence('draft', 'ada')).toBe('Not shown: it is not published')
  const { receipts } = await decide('ada', { content: 'draft', receipts: true })
  expect(receipts[0].gates[3]).toMatchObject({ gate: 'who', open: false })
  expect((await decide('ada', { content: 'no-such' })).content).toEqual([])
})

it('a dry run says what would change, for whom, and why, and changes nothing', async () => {
  const id = await published(flow('plan', { who: { attribute: 'seats', is: 'at_least', value: 2 } }))
  // Who has seen it, and no longer matches, loses it because of the rule.
  const { body: claim } = await server.client.post('/content_sessions', {
    content: 'plan',
    user_id: 'ada',
    holder: 'h',
  })
  const reports = [
    { sequence: 1, type: 'step_seen', step: exampleFlow.steps[0]?.key },
    { sequence: 2, type: 'ended', reason: 'escape' },
  ]
  await server.client.post(`/content_sessions/${claim.id}/progress`, { holder: 'h', reports })
  expect(await sentence('plan', 'ada')).toMatch(/^Not shown: the user has seen it/)
  await server.client.post('/content', flow('plan', { name: 'Plan', who: seats, theme: 'gone' }))
  const { body: plan } = await server.client.post(`/content/${id}/publish`, { dry_run: true })
  expect(plan).toMatchObject({
    object: 'publish_plan',
    changes: ['~ name: "First report" → "Plan"', '~ theme: "default" → "gone"', expect.stringContaining('~ who: ')],
    expected_draft: '2.1',
    problems: [{ param: 'theme', message: 'there is no theme `gone`' }],
    gains: { count: 0, exact: true, samples: [] },
    losses: {
      count: 1,
      exact: true,
      samples: [{ user_id: 'ada', sentence: 'Not shown: seats is 3, at least 5 are needed' }],
    },
    inside: 0,
  })
  const { body } = await server.client.get(`/content/${id}`)
  expect(body.published_version_id).not.toBe(body.draft_version_id)
  const other = (await server.client.post('/content', flow('plan-nobody', { who: { event: 'never_seen' } }))).body
  const nobody = (await server.client.post(`/content/${other.id}/publish`, { dry_run: true })).body
  expect(nobody.warnings).toContainEqual({ param: 'who', message: 'nobody matches now' })
  await unpublish(id)
})

it('warns before publishing of a target that no page has looked for, and of a first one that was not found', async () => {
  const steps = (...locators: string[]) => [
    {
      ...{ key: 'point', type: 'tooltip', target: { locators }, blocks: [{ heading: 'Here' }] },
      buttons: [{ label: 'OK', do: [{ next: true }] }],
    },
  ]
  const document = { key: 'pointing', type: 'flow', name: 'Pointing', steps: steps('testid=export') }
  const { id } = (await server.client.post('/content', document)).body
  const warned = async () => {
    const { body } = await server.client.post(`/content/${id}/publish`, { dry_run: true })
    return body.warnings.filter(({ param }: { param: string }) => param === 'steps[0].target')
  }
  const unseen = (reason: string) => [
    { param: 'steps[0].target', message: `${reason}, so it is likely that no page has looked for this target yet` },
  ]
  expect(await warned()).toEqual(unseen('no version is published'))
  await server.client.post(`/content/${id}/publish`, {})
  await server.client.post('/content', { ...document, name: 'Changed' })
  expect(await warned()).toEqual([])
  const claim = (await server.client.post('/content_sessions', { content: 'pointing', user_id: 'ada', holder: 'h' }))
    .body
  const missing = { sequence: 1, type: 'target_missing', step: 'point', matches: 0 }
  await server.client.post(`/content_sessions/${claim.id}/progress`, { holder: 'h', reports: [missing] })
  expect(await warned()).toEqual([{ param: 'steps[0].target', message: 'was not found for one user in the last day' }])
  await server.client.post('/content', { ...document, steps: steps('testid=other') })
  expect(await warned()).toEqual(unseen('the published version does not have it'))
  await unpublish(id)
})
