import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { Decisions } from '../../server/decisions/decisions.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { openPublicSide, Page, type PublicEnvironment } from '../support/page.ts'

let server: TestServer
let own: PublicEnvironment
beforeAll(async () => {
  server = await startTestServer()
  own = await openPublicSide(server.services, server.environmentId)
  await publish({ key: 'hidden', who: { attribute: 'role', is: 'equals', value: 'admin' } })
  await publish({ key: 'by-hand', startable: true, who: { attribute: 'role', is: 'equals', value: 'nobody' } })
  await publish({ key: 'started', who: { attribute: 'role', is: 'equals', value: 'nobody' } })
  await publish({ key: 'welcome', when: { frequency: 'always' } })
  await publish({ key: 'more-once', when: { priority: 0 } })
})
afterEach(() => vi.restoreAllMocks())
afterAll(async () => await server.close())

async function publish({ key, ...rest }: { key: string } & Record<string, unknown>): Promise<void> {
  const blocks = [{ heading: 'Hello {{ user.email | you }}' }]
  const more = ['welcome', 'more-once'].includes(key) ? [{ label: 'More', do: [{ start: 'started' }] }] : []
  const buttons = [...more, { label: 'Done', do: [{ end: 'completed' }] }]
  const steps = [{ key: 'hello', type: 'dialog', blocks, buttons }]
  const saved = await server.client.post('/content', { key, type: 'flow', name: key, steps, ...rest })
  expect(saved.body.error).toBeUndefined()
  const published = await server.client.post(`/content/${saved.body.id}/publish`, {})
  expect(published.body.error).toBeUndefined()
}

const colorSteps = [
  {
    key: 'hello',
    type: 'dialog',
    blocks: [{ heading: 'You like {{ user.color | colors }} in {{ user.size | a size }}' }],
    buttons: [{ label: 'Done', do: [{ end: 'completed' }] }],
  },
]

async function open(userId: string, more: object = {}): Promise<Page> {
  const page = new Page({ url: server.url, token: own.token })
  expect((await page.identify(userId, more)).status).toBe(200)
  return page
}

const notFound = (status: number, body: { error: { code: string } }) => [status, body.error?.code]

it('a page claims what was decided, reports progress, and the session is remembered', async () => {
  const page = await open('ada')
  const claimed = await page.call('claim', { content: 'welcome' })
  expect([claimed.status, claimed.body]).toMatchObject([200, { object: 'content_claim', epoch: 1, sequence: 0 }])
  const { id, epoch } = claimed.body
  const seen = { id, epoch, reports: [{ sequence: 1, type: 'step_seen', step: 'hello' }] }
  expect((await page.call('progress', seen)).body).toMatchObject({ holder: true, sequence: 1, state: 'active' })
  expect((await page.call('decide')).body.sessions).toMatchObject([{ id, held: 'here', slot: 'flow' }])
  expect((await page.call('renew', { id, epoch })).body).toMatchObject({ holder: true })
  // Another browser sees that it is shown elsewhere, and gets it when the page is left.
  const other = await open('ada')
  expect((await other.call('decide')).body.sessions).toMatchObject([{ id, held: 'elsewhere' }])
  expect((await page.leave('release', { id, epoch })).status).toBe(200)
  const resumed = await other.call('claim', { content: 'welcome', session: id })
  expect(resumed.body).toMatchObject({ id, epoch: 2, sequence: 1, progress: { step: 'hello' } })
  const done = { id, epoch: 2, reports: [{ sequence: 2, type: 'completed' }] }
  expect((await other.leave('progress', done)).status).toBe(200)
  // A replay changes nothing, and reports of the page before count no more.
  expect((await other.call('progress', done)).body).toMatchObject({ sequence: 2 })
  const late = { id, epoch, reports: [{ sequence: 3, type: 'ended', reason: 'escape' }] }
  expect((await page.call('progress', late)).body).toMatchObject({ holder: false })
})

it('a claim decides once, about its content alone', async () => {
  const page = await open('once')
  const [all, one] = [vi.spyOn(Decisions.prototype, 'situation'), vi.spyOn(Decisions.prototype, 'decidePublished')]
  const { body } = await page.call('claim', { content: 'welcome' })
  expect([all.mock.calls.length, one.mock.calls.length]).toEqual([0, 1])
  const seen = { id: body.id, epoch: body.epoch, reports: [{ sequence: 1, type: 'step_seen', step: 'hello' }] }
  expect((await page.call('progress', seen)).status).toBe(200)
  const stored = await server.client.get(`/content_sessions/${body.id}?expand=receipt`)
  expect(stored.body.receipt).toMatchObject({ key: 'welcome', outcome: 'show' })
})

it('a page goes on with a session by the key of its content alone, and names every id in upper case if it likes', async () => {
  const page = await open('again')
  const { id, content_id, epoch } = (await page.call('claim', { content: 'more-once' })).body
  const upper = id.toUpperCase()
  const seen = { epoch, reports: [{ sequence: 1, type: 'step_seen', step: 'hello' }] }
  expect((await page.call('progress', { ...seen, id: upper })).body).toMatchObject({ sequence: 1, holder: true })
  expect((await page.call('renew', { id: upper, epoch })).body).toMatchObject({ holder: true })
  const other = await open('again')
  const names = [
    { content: 'more-once' },
    { content: content_id },
    { content: content_id.toUpperCase() },
    { content: 'more-once', session: upper },
  ]
  for (const name of names) {
    const { status, body } = await other.call('claim', name)
    expect([status, body.error?.code]).toEqual([409, 'shown_elsewhere'])
  }
  expect((await page.call('start', { content: 'started', from_session: upper })).status).toBe(200)
})

it('a session that was released is resumed by each of its names', async () => {
  const page = await open('by-name')
  const { id, content_id, epoch } = (await page.call('claim', { content: 'more-once' })).body
  await page.call('progress', { id, epoch, reports: [{ sequence: 1, type: 'step_seen', step: 'hello' }] })
  for (const name of [{ content: 'more-once' }, { content: content_id.toUpperCase() }]) {
    await page.call('release', { id: id.toUpperCase(), epoch })
    expect((await page.call('decide')).body.sessions).toMatchObject([{ id, held: 'free' }])
    expect((await page.call('claim', name)).body).toMatchObject({ id, progress: { step: 'hello' } })
  }
})

it('content that was not decided gets the answer of content that does not exist, to claim and to start', async () => {
  const page = await open('bob')
  for (const call of ['claim', 'start'])
    for (const content of ['hidden', 'started', 'no-such-content']) {
      const { status, body } = await page.call(call, { content })
      expect([call, content, ...notFound(status, body)]).toEqual([call, content, 404, 'not_found'])
      expect(body.error.message).toBe(`Content with id '${content}' not found`)
    }
  expect((await page.call('start', { content: 'by-hand' })).status).toBe(200)
})

it('a button of content that the page holds may start other content', async () => {
  const page = await open('cleo')
  const { body } = await page.call('claim', { content: 'welcome' })
  const seen = { id: body.id, epoch: body.epoch, reports: [{ sequence: 1, type: 'step_seen', step: 'hello' }] }
  await page.call('progress', seen)
  expect((await page.call('start', { content: 'hidden', from_session: body.id })).status).toBe(404)
  expect((await page.call('start', { content: 'started', from_session: body.id })).status).toBe(200)
  const stranger = await open('dora')
  expect((await stranger.call('start', { content: 'started', from_session: body.id })).status).toBe(404)
})

it('a session starts other content only in the browser that holds it, and not when it ended long ago', async () => {
  const page = await open('hanna')
  const { body } = await page.call('claim', { content: 'welcome' })
  const { id, epoch } = body
  const report = (report: object) => page.call('progress', { id, epoch, reports: [report] })
  await report({ sequence: 1, type: 'step_seen', step: 'hello' })
  const start = async (from: Page) => (await from.call('start', { content: 'started', from_session: id })).status
  expect(await start(await open('hanna'))).toBe(404)
  await report({ sequence: 2, type: 'ended', reason: 'button' })
  expect(await start(page)).toBe(200)
  await server.database.query(`update content_sessions set ended_at = now() - interval '2 minutes' where id = $1`, [id])
  expect(await start(page)).toBe(404)
})

it('a group that the user is not in counts as none, in the decision and in the session', async () => {
  await publish({ key: 'no-tier', who: { attribute: 'tier', of: 'group', is: 'missing' }, startable: true })
  await server.client.post('/users', { id: 'member', groups: [{ id: 'own', attributes: { tier: 'gold' } }] })
  const page = await open('member', { signature: own.sign('member') })
  const keysOf = (body: { content: { key: string }[] }) => body.content.map(({ key }) => key)
  const groupOf = async (by: Page) => {
    const { body } = await by.call('start', { content: 'no-tier' })
    await by.call('progress', { id: body.id, epoch: 1, reports: [{ sequence: 1, type: 'step_seen', step: 'hello' }] })
    return (await server.client.get(`/content_sessions/${body.id}`)).body.group_id
  }
  expect(keysOf((await page.call('decide')).body)).not.toContain('no-tier')
  const unverified = await open('member')
  const named = await unverified.call('group', { group_id: 'foreign' })
  expect(keysOf(named.body.decision)).toContain('no-tier')
  expect(await groupOf(unverified)).toBeNull()
  expect(await groupOf(page)).toBe('own')
})

it('a lease from before the clock of the database was set back keeps no other browser from the session', async () => {
  const page = await open('set-back')
  const { id, epoch } = (await page.call('claim', { content: 'welcome' })).body
  await page.call('progress', { id, epoch, reports: [{ sequence: 1, type: 'step_seen', step: 'hello' }] })
  const other = await open('set-back')
  expect((await other.call('claim', { content: 'welcome', session: id })).status).toBe(409)
  await server.database.query(
    "update content_claims set lease_until = now() + interval '2 hours' where id = $1::uuid",
    [id],
  )
  expect((await other.call('decide')).body.sessions).toMatchObject([{ id, held: 'free' }])
  expect((await other.call('claim', { content: 'welcome', session: id })).status).toBe(200)
  expect((await page.call('renew', { id, epoch })).body).toMatchObject({ holder: false })
})

it('a session that was released is free, also when the clock of the database was set back since', async () => {
  const page = await open('released')
  const { id, epoch } = (await page.call('claim', { content: 'welcome' })).body
  await page.call('progress', { id, epoch, reports: [{ sequence: 1, type: 'step_seen', step: 'hello' }] })
  await page.call('release', { id, epoch })
  await server.database.query(
    "update content_claims set lease_until = now() + interval '20 seconds' where id = $1::uuid",
    [id],
  )
  const other = await open('released')
  expect((await other.call('decide')).body.sessions).toMatchObject([{ id, held: 'free' }])
  expect((await other.call('claim', { content: 'welcome', session: id })).status).toBe(200)
})

it('nobody uses the session of another visitor', async () => {
  const page = await open('eve')
  const { body } = await page.call('claim', { content: 'welcome' })
  const stranger = await open('mallory')
  const reports = [{ sequence: 1, type: 'step_seen', step: 'hello' }]
  const held = { id: body.id, epoch: body.epoch }
  expect((await stranger.call('progress', { ...held, reports })).status).toBe(404)
  expect((await stranger.call('claim', { content: 'welcome', session: body.id })).status).toBe(404)
  expect((await stranger.call('renew', held)).body.holder).toBe(false)
  await stranger.call('release', held)
  expect((await page.call('renew', held)).body.holder).toBe(true)
})

it('a page that is not verified is not told what was answered in another browser', async () => {
  const ask = { question: 'why', kind: 'text', label: 'Why?' }
  const buttons = [{ label: 'Done', do: [{ end: 'completed' }] }]
  const steps = [{ key: 'hello', type: 'dialog', blocks: [ask], buttons }]
  await publish({ key: 'asks', when: { frequency: 'always' }, steps })
  const page = await open('hal')
  const { body } = await page.call('claim', { content: 'asks' })
  const held = { id: body.id, epoch: body.epoch }
  const reports = [
    { sequence: 1, type: 'step_seen', step: 'hello' },
    { sequence: 2, type: 'answered', question: 'why', value: 'a secret' },
  ]
  expect((await page.call('progress', { ...held, reports })).status).toBe(200)
  const resume = async (by: Page) => {
    const claimed = await by.call('claim', { content: 'asks', session: body.id })
    await by.call('release', { id: body.id, epoch: claimed.body.epoch })
    return claimed.body.progress
  }
  expect(await resume(page)).toMatchObject({ step: 'hello', answers: { why: 'a secret' } })
  const stranger = await open('hal')
  expect(await resume(stranger)).toEqual({ step: 'hello', completed: false, answers: {} })
  expect(await resume(stranger)).toMatchObject({ answers: {} })
  expect(await resume(await open('hal', { signature: own.sign('hal') }))).toMatchObject({
    answers: { why: 'a secret' },
  })
})

it('templates are filled for a verified user; for others only from attributes that are marked as shown', async () => {
  await server.client.post('/users', { id: 'fay', attributes: { email: 'fay@example.com' } })
  const heading = async (more: object) => {
    const page = await open('fay', more)
    const { body } = await page.call('claim', { content: 'welcome' })
    await page.call('release', { id: body.id, epoch: body.epoch })
    return JSON.stringify(body.document.steps[0].blocks)
  }
  expect(await heading({})).not.toContain('fay@example.com')
  expect(await heading({ signature: own.sign('fay') })).toContain('fay@example.com')
  await server.database.query(`update attribute_definitions set shown_unverified = true where name = 'email'`, [])
  expect(await heading({})).toContain('fay@example.com')
})

it('a page that is not verified sees in templates what it has sent itself, while that is what is stored', async () => {
  await publish({ key: 'color', when: { frequency: 'always' }, name: 'color', steps: colorSteps })
  const page = await open('gil', { attributes: { color: 'teal' } })
  const stranger = await open('gil')
  const heading = async (by: Page) => {
    const { body } = await by.call('claim', { content: 'color' })
    await by.call('release', { id: body.id, epoch: body.epoch })
    return JSON.stringify(body.document.steps[0].blocks)
  }
  expect(await heading(page)).toContain('teal')
  expect(await heading(stranger)).not.toContain('teal')
  await stranger.call('update', { attributes: { color: 'plum', size: { set_once: 'xl' } } })
  expect(await heading(stranger)).toContain('plum')
  // What somebody else has written since then is not what this page sent.
  expect(await heading(page)).not.toContain('plum')
  // To guess a value that another has written confirms nothing.
  const guess = await open('gil', { attributes: { size: { set_once: 'xl' }, email: 'fay@example.com' } })
  expect(await heading(guess)).not.toContain('xl')
})

it('what is switched off is held by nobody and named to no page, and goes on when it is on again', async () => {
  const page = await open('gus')
  const { body } = await page.call('claim', { content: 'welcome' })
  const held = { id: body.id, epoch: body.epoch }
  await page.call('progress', { ...held, reports: [{ sequence: 1, type: 'step_seen', step: 'hello' }] })
  const sessions = async () => (await page.call('decide')).body.sessions
  const turn = async (isOff: boolean) =>
    await server.database.query('update guidance set is_off = $1::boolean', [isOff])
  expect(await sessions()).toMatchObject([{ id: body.id }])
  await turn(true)
  expect(await sessions()).toEqual([])
  expect((await page.call('renew', held)).body).toEqual({ holder: false, slot: false, lease_seconds: 0 })
  await turn(false)
  expect(await sessions()).toMatchObject([{ id: body.id, held: 'here' }])
  expect((await page.call('renew', held)).body.holder).toBe(true)
})
