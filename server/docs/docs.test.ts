import { globSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { errorCodes } from '../../contract/errors.ts'
import { operations } from '../../contract/operations.ts'
import { startTestServer, type TestServer } from '../../test/support/client.ts'
import { buildDocument } from '../openapi/document.ts'
import { CONCEPTS, GUIDES, LOOK_UP, START } from './contents.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ config: { baseUrl: 'https://usher.example.com' } })
})
afterAll(async () => await server.close())

const noKey = { authorization: undefined }
const get = async (path: string) => await server.client.get(path, noKey)
const page = async (path: string) => String((await get(path)).body)

/** Every page that can be reached from the first, with its HTML. */
async function walk(): Promise<Map<string, string>> {
  const pages = new Map<string, string>()
  const waiting = ['/docs']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path)) continue
    const { status, body } = await get(path)
    expect([path, status]).toEqual([path, 200])
    pages.set(path, String(body))
    for (const [, link] of String(body).matchAll(/href="(\/docs[^"#?]*)/g))
      if (!(link as string).startsWith('/docs/assets/')) waiting.push(link as string)
  }
  return pages
}

it('/openapi.json is the document, without a key', async () => {
  const { status, headers, body } = await get('/openapi.json')
  expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  expect(JSON.parse(String(body))).toEqual(buildDocument('https://usher.example.com'))
})

it('pages, files and the OpenAPI document are compressed for those who ask, and caches keep both forms apart', async () => {
  for (const path of ['/openapi.json', '/docs', '/docs/reference', '/docs/assets/site.css']) {
    const { headers } = await fetch(`${server.url}${path}`, { headers: { 'accept-encoding': 'gzip' } })
    expect([path, headers.get('content-encoding'), headers.get('vary')]).toEqual([path, 'gzip', 'accept-encoding'])
    const plain = await fetch(`${server.url}${path}`, { headers: { 'accept-encoding': 'identity' } })
    expect([path, plain.headers.get('content-encoding')]).toEqual([path, null])
  }
})

it('every page has the strict content security policy, and nothing that violates it', async () => {
  for (const [path, html] of await walk()) {
    const { headers } = await get(path)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    })
    expect(html, path).not.toMatch(/<style|style=|\son\w+=|javascript:|<iframe|<form|<script>/i)
    for (const [, source] of html.matchAll(/(?:src|<link[^>]* href)="([^"]+)"/g))
      expect(source, path).toMatch(/^\/docs\/assets\//)
  }
})

it('every document in docs/ is a page, and so is the README of the client', () => {
  const files = globSync(['docs/**/*.md', 'client/README.md', 'sdk/README.md'], {
    cwd: new URL('../..', import.meta.url),
  })
  const pages = [START, CONCEPTS, GUIDES, LOOK_UP].flatMap((chapter) => chapter.pages.map(({ file }) => file))
  const isListed = (file: string) => /^docs\/(decisions\/\d|measurements\/)/.test(file)
  expect(files.filter((file) => !pages.includes(file) && !isListed(file))).toEqual([])
})

it('every link of every page leads to a page, and every anchor exists once', async () => {
  const pages = await walk()
  expect(pages.size).toBeGreaterThan(60)
  const idsOf = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id as string)
  for (const [path, html] of pages) {
    const ids = idsOf(html)
    expect([path, ids.length]).toEqual([path, new Set(ids).size])
    for (const [, target = '', anchor] of html.matchAll(/href="(\/docs[^"#?]*)?#([^"]+)"/g)) {
      const there = idsOf(pages.get(target === '' ? path : target) ?? '')
      expect(there, `${path} → ${target}#${anchor}`).toContain(anchor)
    }
    expect(html, path).toContain('<h1>')
    expect(html.match(/aria-current="page"/g)?.length, path).toBe(1)
  }
})

it('each error code has the anchor that doc_url points to', async () => {
  const html = await page('/docs/errors')
  for (const code of Object.keys(errorCodes)) expect(html).toContain(` id="${code}"`)
})

it('each operation is in the reference in curl, TypeScript and Python', async () => {
  const html = [...(await walk())].flatMap(([path, text]) => (path.startsWith('/docs/reference/') ? text : [])).join('')
  for (const name of Object.keys(operations)) {
    const [, section = ''] = new RegExp(` id="${name}">(.*?)</section>`, 's').exec(html) ?? []
    for (const language of ['curl', 'TypeScript', 'Python'])
      expect(section, name).toContain(`data-language="${language}"`)
  }
})

it('the type of a field names its least and greatest value and its default, where it has them', async () => {
  const [lists, reports] = await Promise.all(
    ['users', 'content-sessions'].map((name) => page(`/docs/reference/${name}`)),
  )
  expect(lists).toContain('integer, 1 to 100, default 10')
  expect(reports).toContain('<td>integer, 1 to 2000000000</td>')
  expect(reports).toContain('integer or null, at least 0')
  for (const html of (await walk()).values()) expect(html).not.toMatch(/(to|default) undefined/)
})

it('the search index has every page, and is one file', async () => {
  const first = await page('/docs')
  const [, address] = /data-search="([^"]+)"/.exec(first) as unknown as [string, string]
  const { headers, body } = await get(address)
  expect(headers['cache-control']).toContain('immutable')
  const sections = JSON.parse(String(body)) as { address: string }[]
  const known = new Set(sections.map((section) => section.address.split('#')[0]))
  for (const path of (await walk()).keys()) expect(known).toContain(path)
  expect(new Set(sections.map((section) => section.address)).size).toBe(sections.length)
})

it.each(['gdpr', 'kubernetes', 'dashboard', 'certificate', 'systemd'])('the search finds %s', async (word) => {
  const { body } = await get('/docs/assets/search.json')
  const sections = JSON.parse(String(body)) as { address: string; title: string; text: string }[]
  const found = sections.filter(({ title, text }) => `${title} ${text}`.toLowerCase().includes(word))
  expect(found.filter(({ address }) => !address.startsWith('/docs/decisions'))).not.toEqual([])
})

it('a file is cached forever only at the address of its content', async () => {
  const [, hashed] = /href="(\/docs\/assets\/site\.css[^"]*)"/.exec(await page('/docs')) as unknown as [string, string]
  const cached = async (path: string) => (await get(path)).headers['cache-control']
  expect(await cached(hashed)).toContain('immutable')
  for (const path of ['/docs/assets/site.css', '/docs/assets/site.css?other', '/docs/assets/search.json'])
    expect(await cached(path)).toBe('public, max-age=300')
})

it('unknown pages are 404, and other methods are 405', async () => {
  for (const path of [
    '/docs/nothing',
    '/docs/assets/nothing.js',
    '/docs/assets/__proto__',
    '/docs/../package.json',
    '/docs/%2e%2e%2fpackage.json',
  ])
    expect([path, (await get(path)).status]).toEqual([path, 404])
  for (const path of ['/docs', '/openapi.json', '/docs/errors']) {
    const { status, headers } = await server.client.send('POST', path)
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD'])
  }
})
