import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { exampleBanner, exampleChecklist, exampleFlow, exampleLauncher } from '../../contract/content/examples.ts'
import { corpus } from '../fuzz/corpus.ts'
import { mutate } from '../fuzz/mutate.ts'
import { Random } from '../fuzz/random.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { openPublicSide, Page } from '../support/page.ts'

const COUNT = Number(process.env.FUZZ_COUNT ?? (inject('isLong') ? 100_000 : 500))
const CONCURRENCY = 8
/** A visitor has its own limit, so a new one is made after so many requests. */
const EACH = 50
/** A session of the visitor of this moment. */
const ID = '$SESSION'

const bodies: Record<string, string[]> = {
  identify: [
    '{"user_id":"u1","browser_id":"browser-1","protocol":1,"attributes":{"a":1,"b":{"add":2}},"signature":"00"}',
    '{"browser_id":"browser-2","protocol":1,"format":1,"token":"a.b.c","page":{"url":"https://a.example/"}}',
  ],
  group: ['{"group_id":"g1","attributes":{"a":1},"membership":{"role":"x"}}', '{"group_id":null}'],
  update: ['{"attributes":{"a":null,"b":"x"},"group":{"attributes":{"c":true}}}'],
  track: ['{"name":"clicked","attributes":{"where":"menu"},"user_only":true}'],
  decide: ['{}', ''],
  claim: [
    `{"content":"welcome","version_id":"x","session":"${ID}","reason":"auto"}`,
    '{"content":"welcome"}',
    '{"content":"get-started"}',
    '{"content":"maintenance","reason":"resume"}',
    '{"content":"help"}',
  ],
  start: [`{"content":"welcome","once":true,"from_session":"${ID}"}`],
  edit: ['{"token":"abc"}'],
  'edit/draft': ['{"session":"abc"}'],
  'edit/propose': [
    '{"session":"abc","step":"s","locators":[{"locator":"css=#a","matches":1,"stability":"weak"}],"page":"https://a.example/"}',
  ],
  'edit/end': ['{"session":"abc"}'],
  renew: [`{"id":"${ID}","epoch":1}`],
  release: [`{"id":"${ID}","epoch":1}`],
  progress: [
    `{"id":"${ID}","epoch":1,"reports":[{"sequence":1,"type":"step_seen","step":"s"}],"page":{"locale":"de"}}`,
    `{"id":"${ID}","epoch":0,"reports":[{"sequence":1,"type":"answered","question":"ease","value":["a"]}]}`,
    `{"id":"${ID}","epoch":1,"reports":[{"sequence":2,"type":"answered","question":"ease","value":9},{"sequence":3,"type":"target_missing","step":"thanks","matches":0}]}`,
    `{"id":"${ID}","epoch":1,"reports":[{"sequence":2,"type":"step_seen","step":"thanks","locator":"css=#export"},{"sequence":3,"type":"hidden"},{"sequence":4,"type":"ended","reason":"escape"}],"page":{"url":"https://a.example/?b#c"}}`,
    `{"id":"${ID}","epoch":1,"reports":[{"sequence":2,"type":"task_clicked","task":"read"},{"sequence":3,"type":"task_completed","task":"invite"},{"sequence":4,"type":"completed"}]}`,
    `{"id":"${ID}","epoch":1,"reports":[{"sequence":2,"type":"activated"},{"sequence":3,"type":"shown"}]}`,
  ],
}

let server: TestServer
let visitor: string
let session: string
let token: string
beforeAll(async () => {
  server = await startTestServer({ config: { trustedProxies: ['127.0.0.1'] } })
  token = (await openPublicSide(server.services, server.environmentId)).token
  const flow = { ...exampleFlow, who: undefined, where: undefined, key: 'welcome', startable: true }
  for (const document of [flow, exampleChecklist, exampleBanner, exampleLauncher]) {
    const { key, type, name } = document
    const saved = await server.client.post(
      '/content',
      // The launcher starts this flow.
      key === 'help' ? { ...document, do: [{ start: 'welcome' }] } : { ...document, when: { frequency: 'always' } },
      https,
    )
    const published = await server.client.post(`/content/${saved.body.id}/publish`, {}, https)
    expect([type, name, published.body.error]).toEqual([type, name, undefined])
  }
  await nextVisitor(0)
})

const https = { 'x-forwarded-proto': 'https' }

/** Another browser, with a session of one of the contents. */
async function nextVisitor(index: number): Promise<void> {
  const page = new Page({ url: server.url, token })
  const headers = { ...https, 'x-forwarded-for': `192.0.2.${index % 250}` }
  const body = { user_id: `u${index}`, browser_id: page.browserId, protocol: 1 }
  expect((await page.call('identify', body, headers)).status).toBe(200)
  const content = ['welcome', 'get-started', 'maintenance', 'help'][(index / EACH) % 4]
  const { body: claim } = await page.call('claim', { content }, headers)
  const report = content === 'welcome' ? { type: 'step_seen', step: 'where-it-is' } : { type: 'shown' }
  const reports = [{ sequence: 1, ...report }]
  expect((await page.call('progress', { id: claim.id, epoch: 1, reports }, headers)).status).toBe(200)
  ;[visitor, session] = [page.visitor as string, claim.id]
}
afterAll(async () => await server.close())

/** Each request comes from another address, and some from another browser: the limits would refuse most of them otherwise. */
async function send(index: number): Promise<{ status: number; text: string; request: string }> {
  const random = new Random(7_919 + index)
  const name = random.pick(Object.keys(bodies))
  const body = random.pick(bodies[name] ?? []).replaceAll(ID, session)
  const text = mutate(body, random, corpus.strings)
  const isLeaving = random.chance(0.1)
  const headers: Record<string, string> = {
    'content-type': isLeaving ? 'text/plain' : 'application/json',
    'x-forwarded-proto': 'https',
    'x-forwarded-for': `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
  }
  if (!isLeaving || random.chance(0.2)) {
    headers.authorization = random.chance(0.95) ? `Bearer ${token}` : `Bearer pk_${'a'.repeat(26)}`
    headers['usher-visitor'] = random.chance(0.95) ? visitor : visitor.slice(random.below(20))
  }
  if (random.chance(0.3)) headers.origin = random.pick(['http://localhost:3000', 'null', 'https://evil.example', 'x'])
  const path = random.chance(0.95)
    ? `/sdk/${name}`
    : `/sdk/${encodeURIComponent(random.pick(corpus.strings).toWellFormed())}`
  const response = await fetch(server.url + path, { method: 'POST', headers, body: text })
  return { status: response.status, text: await response.text(), request: `${path} ${text}` }
}

it(`${COUNT.toLocaleString('en')} hostile calls of pages get no 5xx and no broken envelope`, async () => {
  const findings: string[] = []
  const statuses = new Map<number, number>()
  const reached = new Set<string>()
  let next = 0
  const work = async () => {
    for (let index = next++; index < COUNT; index = next++) {
      if (index % EACH === 0) await nextVisitor(index + EACH)
      const { status, text, request } = await send(index)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 200) reached.add(request.slice('/sdk/'.length, request.indexOf(' ')))
      if (status >= 500 || (status >= 400 && !text.startsWith('{"error":{"code":"')))
        findings.push(`${index}: ${status} ${text.slice(0, 200)} for ${request.slice(0, 300)}`)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  expect(findings).toEqual([])
  expect(statuses.get(200)).toBeGreaterThan(COUNT / 20)
  expect(reached).toEqual(new Set(Object.keys(bodies).filter((name) => !name.startsWith('edit'))))
  expect((await server.client.get('/users', { 'x-forwarded-proto': 'https' })).status).toBe(200)
})
