import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { corpus } from '../fuzz/corpus.ts'
import { mutate } from '../fuzz/mutate.ts'
import { Random } from '../fuzz/random.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { openPublicSide, Page } from '../support/page.ts'

const COUNT = Number(process.env.FUZZ_COUNT ?? (inject('isLong') ? 10_000 : 500))
const CONCURRENCY = 8
const ID = '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f'

const bodies: Record<string, string[]> = {
  identify: [
    '{"user_id":"u1","browser_id":"browser-1","protocol":1,"attributes":{"a":1,"b":{"add":2}},"signature":"00"}',
    '{"browser_id":"browser-2","protocol":1,"format":1,"token":"a.b.c","page":{"url":"https://a.example/"}}',
  ],
  group: ['{"group_id":"g1","attributes":{"a":1},"membership":{"role":"x"}}', '{"group_id":null}'],
  update: ['{"attributes":{"a":null,"b":"x"},"group":{"attributes":{"c":true}}}'],
  track: ['{"name":"clicked","attributes":{"where":"menu"},"user_only":true}'],
  decide: ['{}', ''],
  claim: ['{"content":"welcome","version_id":"x","session":"y","reason":"auto"}', '{"content":"welcome"}'],
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
    `{"id":"${ID}","epoch":0,"reports":[{"sequence":1,"type":"answered","question":"q","value":["a"]}]}`,
  ],
}

let server: TestServer
let visitor: string
let token: string
beforeAll(async () => {
  server = await startTestServer({ config: { trustedProxies: ['127.0.0.1'] } })
  token = (await openPublicSide(server.services, server.environmentId)).token
  const page = new Page({ url: server.url, token })
  await page.identify('u1')
  visitor = page.visitor as string
})
afterAll(async () => await server.close())

/** Each request comes from another address, and some from another browser: the limits would refuse most of them otherwise. */
async function send(index: number): Promise<{ status: number; text: string; request: string }> {
  const random = new Random(7_919 + index)
  const name = random.pick(Object.keys(bodies))
  const text = mutate(random.pick(bodies[name] ?? []), random, corpus.strings)
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
  let next = 0
  const work = async () => {
    for (let index = next++; index < COUNT; index = next++) {
      // The visitor has its own limit, so a new one is made now and then.
      if (index % 100 === 0) {
        const page = new Page({ url: server.url, token })
        await page.identify(`u${index % 7}`)
        visitor = page.visitor ?? visitor
      }
      const { status, text, request } = await send(index)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status >= 500 || (status >= 400 && !text.startsWith('{"error":{"code":"')))
        findings.push(`${index}: ${status} ${text.slice(0, 200)} for ${request.slice(0, 300)}`)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  expect(findings).toEqual([])
  expect(statuses.get(200)).toBeGreaterThan(COUNT / 20)
  expect((await server.client.get('/users', { 'x-forwarded-proto': 'https' })).status).toBe(200)
})
