import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { sdkLimits } from '../../contract/sdk/limits.ts'
import { ChangedElsewhere } from '../../server/batches/work.ts'
import { Allowances } from '../../server/sdk/allowances.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { memberOf } from '../support/dashboard.ts'
import { openInbox } from '../support/deliveries.ts'
import { openPublicSide, Page, type PublicEnvironment } from '../support/page.ts'
import { startService } from '../support/service.ts'

/** What somebody can do who has read the public token in the source of a page. SECURITY.md has a line for each of these. */

const SECRET = 'only-for-the-back-end'

let server: TestServer
let own: PublicEnvironment
let stranger: Page
beforeAll(async () => {
  server = await startTestServer({ plan: 'growth' })
  own = await openPublicSide(server.services, server.environmentId)
  const groups = [{ id: 'acme', attributes: { tier: SECRET } }]
  await server.client.post('/users', { id: 'victim', attributes: { plan: SECRET, email: SECRET }, groups })
  stranger = newPage()
})
afterAll(async () => await server.close())

const newPage = (token = own.token, origin?: string) => new Page({ url: server.url, token, origin })
const rows = async (text: string) => await server.database.query<Record<string, unknown>>(text, [])

describe('a stranger with the public token', () => {
  it('reads no attribute of a user or a group, also not of the user that he says he is', async () => {
    const answers = [
      await stranger.identify('victim'),
      await stranger.call('update', { attributes: { plan: 'x' } }),
      await stranger.call('group', { group_id: 'acme' }),
      await stranger.call('track', { name: 'looked' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain(SECRET)
  })

  it('does not learn whether a user exists', async () => {
    const [known, unknown] = [await newPage().identify('victim'), await newPage().identify(randomUUID())]
    const shapeOf = ({ status, body }: typeof known) => [status, Object.keys(body), body.ignored, body.verified]
    expect(shapeOf(known)).toEqual(shapeOf(unknown))
    // Also not from the visitor token, which has the time of the user's creation.
    const { body } = await server.client.get('/users/victim')
    const token = Buffer.from(known.body.visitor, 'base64url').toString('latin1')
    expect(token).not.toContain(body.created_at.slice(0, 10))
  })

  it('does not learn whether a group exists or who is in it', async () => {
    await stranger.identify('victim')
    const ask = async (id: string) => (await stranger.call('group', { group_id: id })).body.ignored
    expect(await ask('acme')).toEqual(await ask('no-such-group'))
  })

  it('overwrites nothing that the back end writes, and joins no group', async () => {
    await stranger.identify('victim', { attributes: { plan: 'scale', email: null } })
    await stranger.call('group', { group_id: 'acme', attributes: { tier: 'free' }, membership: { role: 'owner' } })
    await stranger.call('update', { attributes: { plan: { set: 'scale' } }, group: { attributes: { tier: 'free' } } })
    const { body } = await server.client.get('/users/victim?expand=memberships.group')
    expect(body.attributes).toMatchObject({ plan: SECRET, email: SECRET })
    expect(body.memberships).toMatchObject([{ attributes: {}, group: { attributes: { tier: SECRET } } }])
    await stranger.identify('nobody')
    await stranger.call('group', { group_id: 'acme' })
    expect((await server.client.get('/groups?user_id=nobody')).body.data).toEqual([])
  })

  it('uses the token for nothing but /sdk, and an API key for nothing there', async () => {
    for (const path of [
      '/users',
      '/groups',
      '/events',
      '/attribute_definitions',
      '/webhook_subscriptions',
      '/segments',
    ]) {
      const { status, body } = await stranger.send('GET', path)
      expect([path, status, body.error.code]).toEqual([path, 401, 'invalid_api_key'])
    }
    const { status, body } = await newPage(server.key).identify('x')
    expect([status, body.error.code]).toEqual([401, 'invalid_public_token'])
    expect(body.error.message).toMatch(/^This is an API key, and not a public token\./)
    expect((await newPage('pk_short').identify('x')).body.error.message).toMatch(/^This is not a public token: /)
  })

  it('cannot make or change a visitor token, or use that of another environment', async () => {
    await stranger.identify('victim')
    const good = stranger.visitor as string
    const other = await openPublicSide(server.services, await otherEnvironment())
    const elsewhere = newPage(other.token)
    await elsewhere.identify('victim')
    const changed = (at: number) => good.slice(0, at) + (good[at] === 'A' ? 'B' : 'A') + good.slice(at + 1)
    const own = Buffer.from('{"e":1,"u":"victim","v":1}').toString('base64url')
    for (const visitor of [
      changed(0),
      changed(40),
      changed(good.length - 10),
      own,
      `${own}.${own}`,
      elsewhere.visitor as string,
      '',
    ]) {
      const answer = await stranger.send('POST', '/sdk/track', '{"name":"x"}', { 'usher-visitor': visitor })
      expect([answer.status, answer.body.error.code]).toEqual([401, 'visitor_expired'])
    }
  })

  it('does not use the requests of the account', async () => {
    const { headers: before } = await server.client.get('/users')
    for (let count = 0; count < 20; count += 1) await newPage().identify('victim')
    const { headers: after } = await server.client.get('/users')
    const left = (headers: typeof before) => Number(headers['ratelimit-remaining'])
    expect(left(before)).toBeGreaterThan(0)
    expect(left(before) - left(after)).toBeLessThanOrEqual(1)
  })

  it('sends 120 requests a minute from one browser, whatever it identifies as', async () => {
    const browser = new Page({ url: server.url, token: own.token, browserId: 'one-browser' })
    const statuses = new Map<number, number>()
    for (let count = 0; count < 125; count += 1) {
      const { status } = await browser.identify(`u${count % 3}`)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    expect([...statuses]).toEqual([
      [200, 120],
      [429, 5],
    ])
    const refused = await browser.call('track', { name: 'x' })
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('creates a bounded number of names: further ones are ignored and named, and an event is refused', async () => {
    const page = newPage()
    await page.identify('filler')
    const attributes = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`name_${index}`, 1]))
    const { body } = await page.call('update', { attributes })
    expect(body.ignored).toHaveLength(20)
    expect(body.ignored_more).toBeGreaterThanOrEqual(120)
    expect(body.ignored[0].reason).toContain('too many')
    const { status } = await page.call('track', { name: 'yet_another_name' })
    expect(status).toBe(429)
    const [{ count } = {}] = await rows('select count(*)::int as count from attribute_definitions')
    expect(count).toBeLessThan(80)
    // Names that exist can be used as before.
    expect((await page.call('update', { attributes: { name_0: 2 } })).body.ignored).toEqual([])
  })

  it('is answered no more than it has sent, however many names are ignored', async () => {
    const page = newPage()
    const names = Array.from({ length: 5_000 }, (_, index) => index.toString(36))
    const attributes = Object.fromEntries(names.map((name) => [`_${name}`, 1]))
    const sent = JSON.stringify(attributes).length
    const answers = [
      await page.identify('namer', { attributes }),
      await page.call('update', { attributes }),
      await page.call('update', { attributes: { ...attributes, calls: { add: 1 } }, key: 'many-names' }),
    ]
    for (const { status, body } of answers) {
      expect([status, body.ignored.length]).toEqual([200, 20])
      expect(body.ignored_more).toBeGreaterThan(4_900)
      expect(JSON.stringify(body).length).toBeLessThan(sent)
    }
  })

  it('has no more kept of a call, for a further try of it, than it has sent', async () => {
    const page = newPage()
    await page.identify('filler')
    const many = Array.from({ length: 2_000 }, (_, index) => [`kept_${index}`, 1])
    const call = { attributes: { ...Object.fromEntries(many), calls: { add: 1 } }, key: 'one-call' }
    const ignored = async () => {
      const { body } = await page.call('update', call)
      return [body.ignored, body.ignored_more]
    }
    const first = await ignored()
    expect(first[1]).toBeGreaterThan(1_880)
    expect(await ignored()).toEqual(first)
    const kept = await rows("select octet_length(body) as bytes from idempotency_keys where body like '%kept_1999%'")
    expect(kept).toEqual([{ bytes: expect.any(Number) }])
    expect(kept[0]?.bytes).toBeLessThan(JSON.stringify(call).length)
  })

  it('sends at most 64 KiB at once', async () => {
    const page = newPage()
    const { status, body } = await page.identify('big', { attributes: { text: 'x'.repeat(70_000) } })
    expect([status, body.error.code]).toEqual([413, 'payload_too_large'])
  })

  it('creates no user over the limit of a minute, and the answer says so', async () => {
    const page = { mayCreate: () => false, mayStore: () => true, beginTry: () => {}, isVerified: false }
    const job = { kind: 'user', id: 'one-too-many', operations: [], groups: [], prune: false, page } as const
    await expect(server.services.write(server.environmentId, job)).rejects.toMatchObject({ code: 'rate_limited' })
    expect((await server.client.get('/users/one-too-many')).status).toBe(404)
  })

  it('stores no more bytes than the limit of a minute, and a change of one value counts with all of its user', async () => {
    await server.client.post('/users', { id: 'large', attributes: { text: 'x'.repeat(8_000) } })
    const sizes: (readonly number[])[] = []
    const mayStore = (given: readonly number[]) => sizes.push(given) === 1
    const rules = { mayCreate: () => true, mayStore, beginTry: () => {}, isVerified: false }
    const change = (value: number) => {
      const set = { kind: 'set', value, dataType: 'number' } as const
      return { kind: 'user', id: 'large', operations: [['n', set]], groups: [], prune: false, page: rules } as const
    }
    await server.services.write(server.environmentId, change(1))
    expect(sizes).toEqual([[expect.any(Number)]])
    expect(sizes[0]?.[0]).toBeGreaterThan(8_000)
    // What changes nothing stores nothing.
    await server.services.write(server.environmentId, change(1))
    expect(sizes).toHaveLength(1)
    await expect(server.services.write(server.environmentId, change(2))).rejects.toMatchObject({ code: 'rate_limited' })
    expect((await server.client.get('/users/large')).body.attributes.n).toBe(1)
  })

  it('takes what it creates from the limit once, however often its write is tried', async () => {
    const allowances = new Allowances()
    const rules = allowances.rulesOf(server.environmentId, { isVerified: false })
    const mayCreate = vi.fn(rules.mayCreate).mockImplementationOnce((kind) => {
      rules.mayCreate(kind)
      throw new ChangedElsewhere()
    })
    const page = { ...rules, mayCreate }
    const job = { kind: 'user', id: 'tried-again', operations: [], groups: [], prune: false, page } as const
    await server.services.write(server.environmentId, job)
    expect(mayCreate).toHaveBeenCalledTimes(2)
    const others = allowances.rulesOf(server.environmentId, { isVerified: false })
    let left = 0
    while (others.mayCreate('object')) left += 1
    expect(left).toBe(sdkLimits.newUsersPerMinute - 1)
  })

  it('injects nothing into what is stored, sent to webhooks, exported or shown in Live: a text stays that text', async () => {
    const inbox = await openInbox()
    onTestFinished(async () => await inbox.close())
    const { body: subscription } = await server.client.post('/webhook_subscriptions', {
      url: inbox.url,
      topics: ['user'],
    })
    const text = '=HYPERLINK("https://evil.example")<script>alert(1)</script>\u001b[31m{{ user.plan }}","id":"victim'
    const page = newPage()
    const attributes = { attributes: { name_0: text } }
    const identified = await page.identify('injector', attributes)
    expect((await server.client.get('/users/injector')).body.attributes.name_0).toBe(text)
    const notified = () => inbox.arrivals.map(({ body }) => JSON.parse(body).data.object.attributes.name_0)
    await expect.poll(notified).toEqual([text])
    const exported = await server.client.get('/users/injector/export')
    expect(exported.body.user).toMatchObject({ id: 'injector', attributes: { name_0: text } })
    const member = await memberOf(server, 'member')
    const request = { environment: 'production', request_id: identified.headers.get('request-id') as string }
    // It is kept after the answer is sent. Live keeps 50 requests of a second, which other tests may have used up.
    const keptStatus = async () => {
      const { status } = await member.send('getRequest', request)
      if (status === 404)
        request.request_id = (await page.identify('injector', attributes)).headers.get('request-id') as string
      return status
    }
    await expect.poll(keptStatus).toBe(200)
    const shown = await member.call('getRequest', request)
    expect(JSON.parse(shown.request.text as string)).toMatchObject({ attributes: { name_0: text } })
    expect(shown.user_id).toBe('injector')
    await server.client.delete(`/webhook_subscriptions/${subscription.id}`)
  })

  it('from a page of another origin is refused, and the answer says how to allow it', async () => {
    const { status, body, headers } = await newPage(own.token, 'https://evil.example').identify('victim')
    expect([status, body.error.code]).toEqual([403, 'origin_not_allowed'])
    expect(body.error.message).toContain('npx usher origins add https://evil.example --environment NAME')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
  })

  it('cannot use the token of a deleted environment, on any node', async () => {
    const owner = await memberOf(server, 'owner')
    const { slug } = await owner.call('createEnvironment', { name: 'Doomed' })
    const { token } = await owner.call('createToken', { environment: slug, name: 'Web' })
    const other = await startService({ connection: server.connection })
    onTestFinished(async () => await other.close())
    const pages = [server.url, other.url].map((url) => new Page({ url, token }))
    const [here, there] = pages as [Page, Page]
    expect([(await here.identify('late')).status, (await there.identify('late')).status]).toEqual([200, 200])
    await owner.call('deleteEnvironment', { environment: slug, name: 'Doomed' })
    for (const page of pages) {
      await expect.poll(async () => (await page.identify('late')).status).toBe(401)
      expect((await page.call('decide')).body.error.code).toBe('invalid_public_token')
    }
  })
})

async function otherEnvironment() {
  const [row] = await rows('select max(id) as id from environments')
  return row?.id as never
}

describe('a preflight', () => {
  it('is answered for every call of pages, and for nothing else', async () => {
    const preflight = async (path: string) => {
      const headers = { origin: 'https://any.example', 'access-control-request-method': 'POST' }
      const response = await fetch(server.url + path, { method: 'OPTIONS', headers })
      return [response.status, response.headers.get('access-control-allow-headers')]
    }
    for (const path of ['/sdk/identify', '/sdk/track', '/sdk/stream', '/sdk/nothing'])
      expect(await preflight(path)).toEqual([204, 'authorization, content-type, usher-visitor'])
    for (const path of ['/users', '/', '/app/api/session', '/sdk']) expect((await preflight(path))[1], path).toBeNull()
  })

  it('unknown paths under /sdk are 404, and wrong methods of a call 405, without a token', async () => {
    for (const [method, path, ...expected] of [
      ['POST', '/sdk/nothing', 404, 'unknown_url'],
      ['DELETE', '/sdk/identify', 405, 'method_not_allowed'],
      ['PUT', '/sdk/a/b', 404, 'unknown_url'],
    ] as const) {
      const response = await fetch(server.url + path, { method })
      const { error } = (await response.json()) as { error: { code: string } }
      expect([response.status, error.code]).toEqual(expected)
    }
  })
})
