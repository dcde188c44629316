import { createHmac } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inTransaction } from '../../server/database/in-transaction.ts'
import { chooseAccess } from '../../server/definitions/access.ts'
import { createSecret, revokeSecret, setIdentity } from '../../server/sdk/identity.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { openPublicSide, Page, type PublicEnvironment } from '../support/page.ts'

let server: TestServer
let own: PublicEnvironment
beforeAll(async () => {
  server = await startTestServer()
  own = await openPublicSide(server.services, server.environmentId)
})
afterAll(async () => await server.close())

const newPage = (options: { origin?: string; browserId?: string } = {}) =>
  new Page({ url: server.url, token: own.token, ...options })
const attributesOf = async (id: string) => (await server.client.get(`/users/${id}`)).body.attributes
const events = async (userId: string) => (await server.client.get(`/events?user_id=${userId}`)).body.data

it('identify creates the user, and writes again only what has changed', async () => {
  const page = newPage()
  const first = await page.identify('new', { attributes: { theme: 'dark' } })
  expect([first.status, first.body]).toEqual([
    200,
    expect.objectContaining({ user_id: 'new', verified: false, ignored: [], expires_in_seconds: 3600 }),
  ])
  const [written] = await server.database.query('select xmin::text, attributes from users where id = $1::text', ['new'])
  expect(JSON.parse(written?.attributes as string)).toEqual({ theme: 'dark', last_seen_at: expect.any(String) })
  await page.identify('new', { attributes: { theme: 'dark' } })
  await newPage().identify('new')
  const [unchanged] = await server.database.query('select xmin::text from users where id = $1::text', ['new'])
  expect(unchanged?.xmin).toBe(written?.xmin)
  await page.identify('new', { attributes: { theme: 'light', visits: { add: 1 } } })
  expect(await attributesOf('new')).toMatchObject({ theme: 'light', visits: 1 })
})

it('a user who was last seen an hour ago is seen again, unless the back end writes that', async () => {
  await newPage().identify('seen')
  const old = '2020-01-01T00:00:00.000Z'
  await server.database.query(
    `update users set attributes = jsonb_set(attributes, '{last_seen_at}', to_jsonb($1::text)) where id = 'seen'`,
    [old],
  )
  await newPage().identify('seen')
  expect(Date.parse((await attributesOf('seen')).last_seen_at)).toBeGreaterThan(Date.now() - 60_000)

  const other = await openPublicSide(server.services, await otherEnvironment())
  await server.otherClient.post('/users', { id: 'seen', attributes: { last_seen_at: old } })
  const { body } = await new Page({ url: server.url, token: other.token }).identify('seen')
  expect(body.ignored).toEqual([])
  expect((await server.otherClient.get('/users/seen')).body.attributes.last_seen_at).toBe(old)
})

async function otherEnvironment() {
  const [row] = await server.database.query<{ id: number }>('select max(id) as id from environments', [])
  return row?.id as never
}

it('a page cannot write what the back end has written; the answer names it, and the rest counts', async () => {
  await server.client.post('/users', { id: 'paying', attributes: { plan: 'free' } })
  const page = newPage()
  const { body } = await page.identify('paying', { attributes: { plan: 'scale', color: 'red' } })
  expect(body.ignored).toEqual([{ name: 'plan', reason: 'is written by the back end' }])
  expect(await attributesOf('paying')).toMatchObject({ plan: 'free', color: 'red' })
  // A name that pages have written first belongs to the back end as soon as it writes it.
  await server.client.post('/users', { id: 'paying', attributes: { color: 'blue' } })
  const second = await page.call('update', { attributes: { color: 'green', plan: null } })
  expect(second.body.ignored.map(({ name }: { name: string }) => name).sort()).toEqual(['color', 'plan'])
  expect(await attributesOf('paying')).toMatchObject({ plan: 'free', color: 'blue' })
})

it('a page that is not verified learns nothing of what is stored from an operation that does not fit it', async () => {
  const long = 'x'.repeat(8_000)
  const large = Object.fromEntries(Array.from({ length: 31 }, (_, index) => [`large_${index}`, long]))
  await server.client.post('/users', { id: 'stored', attributes: { nick: 'a text', ...large } })
  await server.database.query(`update attribute_definitions set written_by = 'anyone'`, [])
  const ask = async (id: string, attributes: object) => {
    const { status, body } = await newPage().identify(id, { attributes })
    return [status, body.ignored]
  }
  for (const attributes of [
    { nick: { add: 1 }, large_0: 'short' },
    { more: long, much_more: long, most: long },
  ]) {
    expect(await ask('stored', attributes)).toEqual([200, []])
    expect(await ask(`nobody-${Object.keys(attributes).length}`, attributes)).toEqual([200, []])
  }
  const { nick, large_0, more } = await attributesOf('stored')
  expect([nick, large_0, more]).toEqual(['a text', 'short', undefined])
  const proof = { signature: own.sign('stored') }
  const { status, body } = await newPage().identify('stored', { attributes: { nick: { add: 1 } }, ...proof })
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('attributes.nick.add: works only on')])
})

it('a signature or a JWT makes the page verified; without it, it joins no group', async () => {
  const unverified = newPage()
  await unverified.identify('member')
  const refused = await unverified.call('group', { group_id: 'acme', attributes: { seats: 3 } })
  expect(refused.body.ignored).toEqual([{ name: 'group', reason: expect.stringContaining('joins no group') }])
  expect((await server.client.get('/groups/acme')).status).toBe(404)

  const verified = newPage()
  expect((await verified.identify('member', { signature: own.sign('member') })).body.verified).toBe(true)
  const joined = await verified.call('group', { group_id: 'acme', attributes: { seats: 3 }, membership: { role: 'x' } })
  expect([joined.status, joined.body.ignored]).toEqual([200, []])
  expect((await server.client.get('/users/member?expand=memberships.group')).body.memberships).toMatchObject([
    { attributes: { role: 'x' }, group: { id: 'acme', attributes: { seats: 3 } } },
  ])
  await verified.call('update', { group: { attributes: { seats: { add: 1 } } } })
  expect((await server.client.get('/groups/acme')).body.attributes).toEqual({ seats: 4 })
})

it('a JWT that names a group joins it, and no other', async () => {
  const key = Buffer.from(own.secret)
  const token = await new SignJWT({ sub: 'bound', group: 'theirs' })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('5m')
    .sign(key)
  const page = newPage()
  expect((await page.identify('bound', { token })).body.verified).toBe(true)
  const other = await page.call('group', { group_id: 'acme' })
  expect(other.body.ignored).toEqual([{ name: 'group', reason: 'the token of the page names another group' }])
  const { body } = await server.client.get('/groups?user_id=bound')
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['theirs'])
  // The other one may be named. Nothing is stored about it.
  await page.call('track', { name: 'of_nobody' })
  expect(await events('bound')).toMatchObject([{ name: 'of_nobody', group_id: null }])
})

it('a proof that does not count is named with the reason, and the page is not verified', async () => {
  const endless = await new SignJWT({ sub: 'endless' })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(Buffer.from(own.secret))
  const { body } = await newPage().identify('endless', { token: endless })
  const reason = 'must have exp, the time when it ends, in seconds since 1970'
  expect([body.verified, body.ignored]).toEqual([false, [{ name: 'token', reason }]])
  const { body: other } = await newPage().identify('endless', { signature: own.sign('somebody') })
  expect(other.ignored).toEqual([{ name: 'signature', reason: expect.stringContaining('another user id') }])
})

it('a page does not say when its user was last seen', async () => {
  const page = newPage()
  const old = '2020-01-01T00:00:00.000Z'
  const ignored = [{ name: 'last_seen_at', reason: 'is written by Usher itself' }]
  expect((await page.identify('watched', { attributes: { last_seen_at: old } })).body.ignored).toEqual(ignored)
  expect((await page.call('update', { attributes: { last_seen_at: null } })).body.ignored).toEqual(ignored)
  expect(Date.parse((await attributesOf('watched')).last_seen_at)).toBeGreaterThan(Date.now() - 60_000)
})

it('with identity required a page without a valid proof is refused, and nothing is stored', async () => {
  const strict = await openPublicSide(server.services, await otherEnvironment(), { identity: 'required' })
  const page = new Page({ url: server.url, token: strict.token })
  expect((await page.identify('who')).status).toBe(403)
  const wrong = await page.identify('who', { signature: 'a'.repeat(64) })
  expect([wrong.status, wrong.body.error.code]).toEqual([403, 'identity_not_verified'])
  const endless = await new SignJWT({ sub: 'who' })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(Buffer.from(strict.secret))
  expect((await page.identify('who', { token: endless })).body.error.message).toContain('The token must have exp')
  expect((await server.otherClient.get('/users/who')).status).toBe(404)
  expect((await page.identify('who', { signature: strict.sign('who') })).body.verified).toBe(true)
  // Nobody can pretend to be an anonymous visitor of another browser.
  expect((await page.identify(undefined)).body).toMatchObject({ user_id: expect.stringMatching(/^anonymous:/) })
})

it('once identity is required, a page that has proved nothing before is nobody, and an anonymous one stays', async () => {
  const [page, signed, anonymous] = [newPage(), newPage(), newPage()]
  await page.identify('before')
  await signed.identify('before', { signature: own.sign('before') })
  await anonymous.identify(undefined)
  const set = (identity: 'report' | 'required') =>
    setIdentity(server.database, server.services.secrets.box, own.change, identity)
  await set('required')
  await expect.poll(async () => (await page.call('decide')).body.error?.code).toBe('visitor_expired')
  for (const [name, body] of [
    ['update', { attributes: { forged: true } }],
    ['track', { name: 'forged' }],
    ['claim', { content: 'welcome' }],
  ] as const)
    expect([name, (await page.call(name, body)).status]).toEqual([name, 401])
  expect(await attributesOf('before')).not.toHaveProperty('forged')
  expect((await signed.call('update', { attributes: { told: true } })).status).toBe(200)
  expect((await anonymous.call('track', { name: 'looked' })).status).toBe(200)
  await set('report')
  await expect.poll(async () => (await page.call('decide')).status).toBe(200)
})

it('a page whose proof was signed by a secret that is revoked since then is nobody, until it proves itself anew', async () => {
  const { database, services } = server
  const leaked = await createSecret(database, services.secrets.box, own.change)
  const signature = createHmac('sha256', leaked.secret).update('proved').digest('hex')
  const [page, other] = [newPage(), newPage()]
  await expect.poll(async () => (await page.identify('proved', { signature })).body.verified).toBe(true)
  await other.identify('proved', { signature: own.sign('proved') })
  const stream = await page.openStream()
  await revokeSecret(database, own.change, leaked.id)
  await expect.poll(async () => (await page.call('decide')).body.error?.code).toBe('visitor_expired')
  await stream.ended
  expect((await page.call('update', { attributes: { forged: true } })).status).toBe(401)
  expect((await other.call('decide')).status).toBe(200)
  expect((await page.identify('proved', { signature })).body.verified).toBe(false)
})

it('an anonymous visitor has an id that tells nothing of its browser, and that no page can take', async () => {
  const page = newPage({ browserId: 'browser-of-somebody' })
  const { body } = await page.identify(undefined)
  expect(body).toMatchObject({ user_id: expect.stringMatching(/^anonymous:[\w-]{32}$/), verified: false })
  expect(body.user_id).not.toContain('somebody')
  expect((await newPage().identify(body.user_id)).body.error).toMatchObject({
    code: 'invalid_params',
    param: 'user_id',
  })
})

it('track stores events of the visitor, also from a page that is being left; of a group only when verified', async () => {
  const page = newPage()
  await page.identify('tracker')
  await page.call('group', { group_id: 'acme' })
  const { status, body } = await page.call('track', { name: 'clicked', attributes: { where: 'menu' } })
  expect([status, body]).toEqual([200, { id: expect.any(String) }])
  expect((await page.leave('track', { name: 'left' })).status).toBe(200)
  expect(await events('tracker')).toMatchObject([
    { name: 'left', group_id: null },
    { name: 'clicked', attributes: { where: 'menu' }, group_id: null },
  ])
  await page.identify('tracker', { signature: own.sign('tracker') })
  await page.call('group', { group_id: 'acme' })
  await page.call('track', { name: 'of_group' })
  await page.call('track', { name: 'of_user', user_only: true })
  expect(await events('tracker')).toMatchObject([
    { name: 'of_user', group_id: null },
    { name: 'of_group', group_id: 'acme' },
    {},
    {},
  ])
})

it('a call that is tried again with its key counts once, also from a page that is being left, and for nobody else', async () => {
  const [page, other] = [newPage(), newPage()]
  const [key, first] = ['key-of-one-call', { attributes: { visits: { add: 1 } }, key: 'key-of-identify' }]
  const signature = own.sign('trier')
  for (let tries = 0; tries < 2; tries += 1) {
    expect((await page.identify('trier', { ...first, signature, page: { url: `/${tries}` } })).status).toBe(200)
    await page.call('update', { attributes: { seats: { add: 2 }, at: 'x' }, key: 'key-of-update' })
    await page.call('group', { group_id: 'tried', attributes: { size: { add: 3 } }, key: 'key-of-group' })
  }
  const event = { name: 'tried', attributes: { n: 1 }, key }
  const atOnce = [page.call('track', event), page.call('track', event)]
  const ids = [...(await Promise.all(atOnce)), await page.call('track', event), await page.leave('track', event)]
  expect(new Set(ids.map(({ body }) => body.id)).size).toBe(1)
  await other.identify('trier')
  expect((await other.call('track', event)).body.id).not.toBe(ids[0]?.body.id)
  expect(await events('trier')).toHaveLength(2)
  expect(await attributesOf('trier')).toMatchObject({ visits: 1, seats: 2, at: 'x' })
  expect((await server.client.get('/groups/tried')).body.attributes).toEqual({ size: 3 })
  const reused = await page.call('track', { ...event, name: 'other' })
  expect([reused.status, reused.body.error.code]).toEqual([409, 'idempotency_key_reused'])
  expect((await page.call('track', { ...event, key: 'short' })).status).toBe(400)
})

it('what is set needs no key, and keeps none', async () => {
  const page = newPage()
  await page.identify('setter', { attributes: { tone: 'calm' }, key: 'key-of-setter' })
  await page.call('update', { attributes: { tone: 'loud' }, key: 'key-of-set' })
  const kept = "select 1 from idempotency_keys where user_id = 'setter'"
  expect(await server.database.query(kept, [])).toEqual([])
})

it('a page that is being left writes attributes, and joins a group', async () => {
  const page = newPage()
  await page.identify('leaver', { signature: own.sign('leaver') })
  expect((await page.leave('update', { attributes: { tour: 'done' } })).status).toBe(200)
  expect((await page.leave('group', { group_id: 'acme' })).status).toBe(200)
  const { body } = await server.client.get('/users/leaver?expand=memberships')
  expect(body).toMatchObject({ attributes: { tour: 'done' }, memberships: [{ group_id: 'acme' }] })
})

it('after the deletion of its user a visitor token is worth nothing, also when the user is created again', async () => {
  const page = newPage()
  await page.identify('gone')
  await server.client.delete('/users/gone')
  for (const create of [false, true]) {
    if (create) await server.client.post('/users', { id: 'gone' })
    for (const [name, body] of [
      ['update', { attributes: { x: 1 } }],
      ['group', { group_id: null }],
      ['track', { name: 'x' }],
    ] as const) {
      const answer = await page.call(name, body)
      expect([name, answer.status, answer.body.error.code]).toEqual([name, 401, 'visitor_expired'])
    }
  }
  expect(await attributesOf('gone')).toEqual({})
  await page.identify('gone')
  expect((await page.call('track', { name: 'x' })).status).toBe(200)
})

it('a name that the back end only removes belongs to the back end, too', async () => {
  const page = newPage()
  await page.identify('tinted', { attributes: { tint: 'red', shade: 'dark' } })
  await server.client.post('/users', { id: 'tinted', attributes: { tint: null, never_was: null } })
  const { ignored } = (await page.call('update', { attributes: { tint: 'blue', shade: 'light', never_was: 1 } })).body
  expect(ignored).toEqual([{ name: 'tint', reason: 'is written by the back end' }])
  const { last_seen_at: _, ...attributes } = await attributesOf('tinted')
  expect(attributes).toEqual({ shade: 'light', never_was: 1 })
})

it('a member may let pages write a name of the back end, and the back end does not claim it again', async () => {
  await server.client.post('/users', { id: 'chosen', attributes: { nickname: 'A' } })
  const find = async () =>
    (await server.client.get('/attribute_definitions?limit=100')).body.data.find(
      ({ name }: { name: string }) => name === 'nickname',
    )
  const { id, written_by, shown_unverified } = await find()
  expect([written_by, shown_unverified]).toEqual(['back_end', false])
  await inTransaction(server.database, (transaction) =>
    chooseAccess(transaction, own.change, id, { writtenBy: 'anyone', shownUnverified: true }),
  )
  expect(await find()).toMatchObject({ written_by: 'anyone', shown_unverified: true })
  await server.client.post('/users', { id: 'chosen', attributes: { nickname: 'B' } })
  expect(await find()).toMatchObject({ written_by: 'anyone' })
  await newPage().identify('chosen', { attributes: { nickname: 'C' } })
  expect(await attributesOf('chosen')).toMatchObject({ nickname: 'C' })
})
