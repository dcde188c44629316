import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { sdkLimits } from '../../contract/sdk/limits.ts'
import { DatabaseClock } from '../../server/database/clock.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { type Browser, memberOf } from '../support/dashboard.ts'
import { LONGEST_WAIT_MS } from '../support/database.ts'
import { openPublicSide, Page, type PublicEnvironment } from '../support/page.ts'

const APP = 'https://app.example.com'
const SHOPS = 'https://*.shop.example'

let server: TestServer
let admin: Browser
let own: PublicEnvironment
beforeAll(async () => {
  server = await startTestServer()
  admin = await memberOf(server, 'admin')
  own = await openPublicSide(server.services, server.environmentId, { origins: [APP, SHOPS] })
})
afterAll(async () => await server.close())

const identify = async (origin: string, userId: string | undefined, more: object = {}) =>
  await new Page({ url: server.url, token: own.token, origin }).identify(userId, more)

async function installation() {
  await server.services.counters.flush()
  return await admin.call('getInstallation', { environment: 'production' })
}

it('the installation has the identifications of each allowed origin, and the origins that were refused', async () => {
  await identify(APP, 'ada', { signature: own.sign('ada') })
  await identify(APP, 'ada', { signature: own.sign('bob') })
  for (const shop of ['https://a.shop.example', 'https://b.shop.example']) await identify(shop, 'ada')
  await identify('https://a.shop.example', undefined)
  for (const origin of ['https://old.example.com', 'https://new.example.com', 'https://new.example.com', 'null'])
    expect((await identify(origin, 'ada')).status).toBe(403)
  const nobody = { count: 0, is_exact: true }
  const none = { people: nobody, signed: 0, unsigned: 0, wrong: 0, anonymous: 0 }
  const health = {
    versions: expect.any(Array),
    answers: { count: expect.any(Number), half_ms: expect.any(Number), most_ms: expect.any(Number) },
    errors: { caught: 0, refused: 0 },
  }
  const before = await installation()
  expect(before).toMatchObject({ refused: 4, signed: 1, unsigned: 2, wrong: 1, anonymous: 1 })
  expect([before.days.values.length, before.days.values.at(-1)]).toEqual([14, 5])
  expect(before.scripts).toEqual({ newest: 5, older: 0 })
  expect(before.origins).toEqual([
    {
      ...none,
      ...health,
      origin: SHOPS,
      seen_at: expect.any(String),
      unsigned: 2,
      anonymous: 1,
      people: expect.anything(),
    },
    { ...none, ...health, origin: APP, seen_at: expect.any(String), signed: 1, wrong: 1, people: expect.anything() },
    { ...none, ...health, origin: 'localhost', seen_at: null, versions: [], answers: null },
  ])
  expect(before.refused_origins).toEqual([
    { origin: 'https://new.example.com', count: 2, last_at: expect.any(String) },
    { origin: 'https://old.example.com', count: 1, last_at: expect.any(String) },
  ])
  await admin.call('addOrigin', { environment: 'production', origin: 'https://new.example.com' })
  const { refused_origins } = await installation()
  expect(refused_origins.map(({ origin }) => origin)).toEqual(['https://old.example.com'])
})

it('the installation has the scripts, the times of answers and the errors of the pages of each origin', async () => {
  const before = await installation()
  const page = new Page({ url: server.url, token: own.token, origin: APP })
  const body = { user_id: 'eve', browser_id: page.browserId, protocol: 1 }
  for (const query of ['?script=1.2.3', '?script=1.2.3', '?script=0.9.0-beta.1', '?script=<b>', ''])
    expect((await page.call(`identify${query}`, body)).status).toBe(200)
  // A page without a visitor token is told so, and identifies itself: that is no error.
  expect((await page.call('decide', {}, { 'usher-visitor': 'nobody' })).status).toBe(401)
  expect((await page.call('track', { name: '' })).status).toBe(400)
  expect((await page.call('error', { message: 'TypeError: x is undefined' })).body).toEqual({})
  expect((await page.leave('error', { message: 'RangeError' })).status).toBe(200)
  const { origins, ...all } = await installation()
  const app = origins.find(({ origin }) => origin === APP)
  const versions = (list: { version: string; count: number }[] = []) =>
    Object.fromEntries(list.map(({ version, count }) => [version, count]))
  const silent = versions(before.origins.find(({ origin }) => origin === APP)?.versions)[''] ?? 0
  expect(versions(app?.versions)).toEqual({ '1.2.3': 2, '0.9.0-beta.1': 1, '': silent + 2 })
  expect(app?.errors).toEqual({ caught: 2, refused: 1 })
  expect(all.errors).toEqual({ caught: 2, refused: 1 })
  expect((all.answers?.count ?? 0) - (before.answers?.count ?? 0)).toBe(7)
  expect(app?.answers?.most_ms).toBeGreaterThanOrEqual(app?.answers?.half_ms as number)
  expect(origins.find(({ origin }) => origin === SHOPS)?.errors).toEqual({ caught: 0, refused: 0 })
})

it('the installation tells the last identified user, and the users without a good signature, until they are deleted', async () => {
  const started = Date.now()
  await identify(APP, 'lin', { signature: own.sign('lin'), attributes: { name: 'Lin Wu' } })
  const lastIdentified = async () => (await installation()).last_identified
  await expect.poll(lastIdentified).toMatchObject({ id: 'lin', name: 'Lin Wu', proof: 'signed' })
  expect(Math.abs(Date.parse((await lastIdentified())?.at ?? '') - started)).toBeLessThan(LONGEST_WAIT_MS)
  const before = await installation()
  // Twice, and from two origins: one person.
  for (const origin of [APP, APP, 'https://a.shop.example']) await identify(origin, 'max')
  await identify(APP, 'zoe', { signature: own.sign('max') })
  const lacking = async () => await admin.call('listLackingUsers', { environment: 'production' })
  await expect.poll(lastIdentified).toMatchObject({ id: 'zoe', name: null, proof: 'wrong' })
  const told = await lacking()
  expect(told.people).toEqual({ count: before.lacking.count + 2, is_exact: true })
  expect(told.users.length).toBe(told.people.count)
  expect(told.users.slice(0, 2)).toMatchObject([
    { id: 'zoe', proof: 'wrong', origin: APP },
    { id: 'max', proof: 'unsigned' },
  ])
  const people = ({ origins }: typeof before, name: string) =>
    origins.find(({ origin }) => origin === name)?.people.count ?? 0
  expect(people(await installation(), APP) - people(before, APP)).toBe(2)
  expect(people(await installation(), SHOPS) - people(before, SHOPS)).toBe(1)
  await server.client.delete('/users/zoe')
  await server.client.delete('/users/max')
  const after = await installation()
  expect(after.last_identified).toBe(null)
  expect(after.lacking).toEqual(before.lacking)
  for (const table of ['identified_users', 'last_identifications'])
    expect(await server.database.query(`select from ${table} where user_id in ('max', 'zoe')`, [])).toEqual([])
})

it('a rotated token works beside the new one until it ends, and is exchanged once', async () => {
  const { id } = await admin.call('createToken', { environment: 'production', name: 'Rotated' })
  const call = { environment: 'production', token_id: String(id) }
  const tokens = async () => (await installation()).tokens.filter(({ name }) => name === 'Rotated')
  const next = await admin.call('rotateToken', call)
  expect(next).toMatchObject({ name: 'Rotated', ends_at: null })
  const [first, second] = await tokens()
  expect([first?.id, second?.id]).toEqual([next.id, id])
  expect(Date.parse(second?.ends_at ?? '') - Date.parse(next.created_at)).toBe(sdkLimits.rotatedTokenDays * 86_400_000)
  await expect(admin.call('rotateToken', call)).rejects.toThrow('404')
  const statuses = async () =>
    await Promise.all(
      [first, second].map(async (one) => {
        const page = new Page({ url: server.url, token: one?.token as string, origin: APP })
        return (await page.identify('ada')).status
      }),
    )
  expect(await statuses()).toEqual([200, 200])
  // The token ends by the clock of the database. The monotonic clock of this process continues it: no reading may correct that.
  vi.spyOn(DatabaseClock.prototype, 'read').mockResolvedValue({ setMs: 0, aheadMs: 0 })
  const [wall, monotonic] = [Date.now, performance.now.bind(performance)]
  const later = Date.parse(second?.ends_at ?? '') - wall()
  vi.spyOn(Date, 'now').mockImplementation(() => wall() + later)
  vi.spyOn(performance, 'now').mockImplementation(() => monotonic() + later)
  try {
    expect(await statuses()).toEqual([200, 401])
    expect((await tokens()).map(({ id: live }) => live)).toEqual([next.id])
  } finally {
    vi.restoreAllMocks()
  }
})
