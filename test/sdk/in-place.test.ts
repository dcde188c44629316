import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ContentDocument } from '../../contract/content/document.ts'
import { editLimits } from '../../contract/sdk/edit.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { tour } from '../support/content.ts'
import { type Browser, memberOf } from '../support/dashboard.ts'
import { openPublicSide, Page, type PublicEnvironment } from '../support/page.ts'

let server: TestServer
let own: PublicEnvironment
let member: Browser
let other: Browser
let at: { environment: string; content_id: string }
const ORIGIN = 'https://app.example.com'
const address = `${ORIGIN}/projects?tab=1`
const locators = [{ locator: 'testid=export', matches: 1, stability: 'stable' }]

beforeAll(async () => {
  server = await startTestServer()
  own = await openPublicSide(server.services, server.environmentId, { origins: [ORIGIN, 'https://other.example.com'] })
  member = await memberOf(server, 'member')
  other = await memberOf(server, 'admin')
  const { id } = await member.call('createContent', { environment: 'production', document: tour('in-place') })
  at = { environment: 'production', content_id: id }
})
afterAll(async () => await server.close())

const pageOf = (origin: string | undefined = ORIGIN, token = own.token) => new Page({ url: server.url, token, origin })
const open = async (by = member) => {
  const { id, url } = await by.call('openInPlace', { ...at, address, purpose: 'pick', step: 'hello' })
  return { id, url, token: url.split('#usher-edit=')[1] as string }
}
const enter = async (by = member) => {
  const opened = await open(by)
  const { body } = await pageOf().call('edit', { token: opened.token })
  return { ...opened, session: body.session as string, body }
}
const propose = async (session: string, more: object = {}, page = pageOf()) =>
  await page.call('edit/propose', { session, step: 'hello', locators, page: `${ORIGIN}/projects`, ...more })
const refused = { status: 401, body: { error: { code: 'edit_ended' } } }
const setBack = async (id: string, column: string, minutes: number) =>
  await server.database.query(
    `update edit_sessions set ${column} = now() - make_interval(mins => $1::int) where id = $2::uuid`,
    [minutes, id],
  )

it('a member opens a page, which reads the draft and proposes; the same member sees and confirms it', async () => {
  const { id, url, body, session } = await enter()
  expect(url).toMatch(/^https:\/\/app\.example\.com\/projects\?tab=1#usher-edit=[\w-]{43}$/)
  expect(body).toMatchObject({ purpose: 'pick', step: 'hello', content: { key: 'in-place', type: 'flow' } })
  expect(JSON.stringify(body.content)).toContain('there')
  expect((await member.call('getContent', at)).address).toBe(address)
  expect((await propose(session, { page: 'https://ada:secret@app.example.com/projects' })).status).toBe(200)
  const { state, proposals } = await member.call('getInPlace', { ...at, edit_id: id })
  expect([state, proposals]).toMatchObject([
    'open',
    [{ step: 'hello', locators, state: 'offered', page: `${ORIGIN}/projects` }],
  ])
  const settle = { ...at, edit_id: id, proposal_id: proposals[0]?.id as string, confirmed: true }
  await member.call('settleProposal', settle)
  expect((await member.send('settleProposal', settle)).status).toBe(404)
  expect((await member.call('getInPlace', { ...at, edit_id: id })).proposals[0]?.state).toBe('confirmed')
  await pageOf().call('edit/end', { session })
  expect((await member.call('getInPlace', { ...at, edit_id: id })).state).toBe('ended')
  expect(await propose(session)).toMatchObject(refused)
})

it('neither the token nor the session is stored, and the page reads the draft as it is now', async () => {
  const { id, token, session } = await enter()
  const [row] = await server.database.query('select * from edit_sessions where id = $1::uuid', [id])
  const text = JSON.stringify(row, (_, value) =>
    value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
  )
  for (const secret of [token, session]) expect(text).not.toContain(secret)
  const { draft } = await member.call('getContent', at)
  const document = { ...draft.document, name: 'Renamed' }
  await member.call('saveDraft', { ...at, document, expected_draft: draft.revision })
  expect((await pageOf().call('edit/draft', { session })).body.content.name).toBe('Renamed')
})

it('Live shows neither the token nor the session: another member could act as who has opened the page', async () => {
  const { token } = await open()
  const opened = await pageOf().call('edit', { token })
  const { session } = opened.body
  const answers = [opened, await pageOf().call('edit/draft', { session }), await propose(session)]
  for (const { status, headers } of [...answers, await pageOf().call('edit/end', { session })]) {
    expect(status).toBe(200)
    const find = async () => server.services.live.feed.find(server.environmentId, headers.get('request-id') as string)
    await expect.poll(find).toBeDefined()
    const text = JSON.stringify(await find())
    expect(text).toContain('(hidden)')
    for (const secret of [token, session]) expect(text).not.toContain(secret)
  }
})

it('of 20 pages with the same token one gets in, and the token does nothing after that', async () => {
  const { token } = await open()
  const answers = await Promise.all(Array.from({ length: 20 }, () => pageOf().call('edit', { token })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(401)])
  expect(await pageOf().call('edit', { token })).toMatchObject(refused)
})

it('a token from another origin, or from none, is refused and used up, and so is a session', async () => {
  for (const origin of ['https://other.example.com', undefined]) {
    const { token } = await open()
    const stranger = new Page({ url: server.url, token: own.token, ...(origin ? { origin } : {}) })
    const answer = origin
      ? await stranger.call('edit', { token })
      : await fetch(`${server.url}/sdk/edit`, {
          method: 'POST',
          headers: { authorization: `Bearer ${own.token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ token }),
        })
    expect(answer.status).toBe(401)
    expect(await pageOf().call('edit', { token })).toMatchObject(refused)
  }
  const { session } = await enter()
  expect(await propose(session, {}, pageOf('https://other.example.com'))).toMatchObject(refused)
  const evil = await propose(session, {}, pageOf('https://evil.example'))
  expect(evil.body.error.code).toBe('origin_not_allowed')
})

it('a token of another environment is not known', async () => {
  const { token } = await open()
  const [{ id } = {}] = await server.database.query<{ id: number }>('select max(id) as id from environments', [])
  const elsewhere = await openPublicSide(server.services, id as never, { origins: [ORIGIN] })
  expect(await pageOf(ORIGIN, elsewhere.token).call('edit', { token })).toMatchObject(refused)
  expect((await pageOf().call('edit', { token })).status).toBe(200)
})

it('a token ends after ten minutes, a session after ten idle minutes and after an hour', async () => {
  const late = await open()
  await setBack(late.id, 'created_at', 11)
  expect((await member.call('getInPlace', { ...at, edit_id: late.id })).state).toBe('ended')
  expect(await pageOf().call('edit', { token: late.token })).toMatchObject(refused)
  const idle = await enter()
  await setBack(idle.id, 'used_at', 9)
  expect((await propose(idle.session)).status).toBe(200)
  await setBack(idle.id, 'used_at', 11)
  expect(await propose(idle.session)).toMatchObject(refused)
  const long = await enter()
  await setBack(long.id, 'exchanged_at', 61)
  expect(await propose(long.session)).toMatchObject(refused)
})

it('a member who may not edit any more loses the tab, and another member sees nothing of it', async () => {
  const leaving = await memberOf(server, 'member')
  const { id, session } = await enter(leaving)
  expect((await propose(session)).status).toBe(200)
  expect((await other.send('getInPlace', { ...at, edit_id: id })).status).toBe(404)
  const { member: profile } = await leaving.call('getSession', {})
  await other.call('updateMember', { member_id: profile.id, role: 'viewer' })
  expect(await propose(session)).toMatchObject(refused)
  const again = await leaving.send('openInPlace', { ...at, address, purpose: 'pick' })
  expect([again.status, again.code]).toEqual([403, 'role_required'])
})

it('a preview as a user has their values and their receipt, and ends when the user is deleted', async () => {
  await server.client.post('/users', { id: 'ada', attributes: { name: 'Ada Okafor' } })
  const as = { ...at, address, purpose: 'preview', user_id: 'ada' } as const
  const { url } = await member.call('openInPlace', as)
  const { body } = await pageOf().call('edit', { token: url.split('#usher-edit=')[1] as string })
  expect(body.as).toMatchObject({ user: 'Ada Okafor', sentence: expect.stringContaining('hown') })
  expect(body.as.gates[0]).toEqual({ name: 'Live', open: true, lines: [] })
  expect(JSON.stringify(body.content)).toContain('Ada Okafor')
  expect((await enter()).body.as).toBeNull()
  for (const wrong of [{ user_id: 'nobody' }, { purpose: 'pick' as const }])
    expect((await member.send('openInPlace', { ...as, ...wrong })).status).toBe(400)
  expect((await member.send('previewDraft', { ...at, user_id: 'nobody' })).status).toBe(404)
  await server.client.delete('/users/ada')
  expect(await pageOf().call('edit/draft', { session: body.session })).toMatchObject(refused)
})

it('a draft that is not finished can be looked at, but not as a user: nothing can be decided about it', async () => {
  const { draft } = await member.call('getContent', at)
  await server.client.post('/users', { id: 'bo' })
  const document = { ...draft.document, who: { all: [{ attribute: 'seats' }] } } as unknown as ContentDocument
  await member.call('saveDraft', { ...at, document, expected_draft: draft.revision })
  const { url } = await member.call('openInPlace', { ...at, address, purpose: 'preview' })
  expect((await pageOf().call('edit', { token: url.split('#usher-edit=')[1] as string })).status).toBe(200)
  const answer = await member.send('previewDraft', { ...at, user_id: 'bo' })
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('the draft is not finished')])
  const now = (await member.call('getContent', at)).draft.revision
  await member.call('saveDraft', { ...at, document: draft.document, expected_draft: now })
})

it('a preview as a user stores nothing of it, and the user still sees the content as before', async () => {
  await server.client.post('/users', { id: 'cy' })
  const { draft } = await other.call('getContent', at)
  await other.call('publishContent', { ...at, expected_draft: draft.revision, inside: 'finish', description: '' })
  const rows = async () => {
    const of = [
      'content_claims',
      'content_sessions',
      'content_states',
      'content_answers',
      'events',
      'webhook_notifications',
    ]
    const counts = of.map((table) => `(select count(*) from ${table} where environment_id = $1::int)`)
    return await server.database.query(`select ${counts.join(' + ')} as n`, [server.environmentId])
  }
  const before = await rows()
  const { url } = await member.call('openInPlace', { ...at, address, purpose: 'preview', user_id: 'cy' })
  const { body } = await pageOf().call('edit', { token: url.split('#usher-edit=')[1] as string })
  expect((await pageOf().call('edit/draft', { session: body.session })).status).toBe(200)
  expect((await member.send('previewDraft', { ...at, user_id: 'cy' })).status).toBe(200)
  expect(await rows()).toEqual(before)
  const claim = { content: 'in-place', user_id: 'cy', holder: 'b' }
  expect((await server.client.post('/content_sessions', claim)).status).toBe(200)
})

it('an address whose origin is not allowed, or that is none, is refused and not remembered', async () => {
  for (const wrong of [
    'https://evil.example/',
    'javascript:alert(1)',
    'app.example.com',
    'https://a:b@app.example.com/',
  ]) {
    const answer = await member.send('openInPlace', { ...at, address: wrong, purpose: 'preview' })
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('address: ')])
  }
  expect((await member.call('getContent', at)).address).toBe(address)
})

it('a fragment of the application stays before the token', async () => {
  const hashed = `${ORIGIN}/#/projects`
  const { url } = await member.call('openInPlace', { ...at, address: hashed, purpose: 'preview' })
  expect(url).toMatch(/^https:\/\/app\.example\.com\/#\/projects&usher-edit=[\w-]{43}$/)
})

it('an edit session stores 50 proposals of bounded size, however many are sent at once', async () => {
  const { id, session } = await enter()
  const answers = await Promise.all(Array.from({ length: 110 }, () => propose(session)))
  const kept = answers.filter(({ status }) => status === 200)
  expect(kept).toHaveLength(editLimits.proposals)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
  // The limit of the page's requests ends the rest.
  const more = await Promise.all(Array.from({ length: 30 }, () => propose(session)))
  expect(more.map(({ status }) => status)).toContain(429)
  const { proposals } = await member.call('getInPlace', { ...at, edit_id: id })
  expect(proposals).toHaveLength(editLimits.proposals)
})

it('a proposal that is too large or no locator is refused, each problem with its place', async () => {
  const { session } = await enter()
  const one = (locator: string) => ({ locator, matches: 1, stability: 'weak' })
  const wrong = await propose(session, { locators: [one('xpath=//a'), one('css=#a'), one('css=a[b')] })
  expect(wrong.status).toBe(400)
  expect(wrong.body.error.message).toMatch(/locators\[0\].*locators\[2\]/s)
  for (const more of [
    { locators: [one(`css=${'a'.repeat(500)}`)] },
    { locators: Array(11).fill(one('css=#a')) },
    { locators: [] },
    { page: 'x'.repeat(3_000) },
    { document: {} },
  ])
    expect((await propose(session, more)).status).toBe(400)
  expect((await propose(session, { page: randomBytes(20_000).toString('hex') })).status).toBe(413)
})
