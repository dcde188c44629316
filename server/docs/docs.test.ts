import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { errorCodes } from '../../contract/errors.ts'
import { operations } from '../../contract/operations.ts'
import { startTestServer, type TestServer } from '../../test/support/client.ts'
import { buildDocument } from '../openapi/document.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ config: { baseUrl: 'https://usher.example.com' } })
})
afterAll(async () => await server.close())

const noKey = { authorization: undefined }
const page = async () => String((await server.client.get('/docs', noKey)).body)

it('/openapi.json is the document, without a key', async () => {
  const { status, headers, body } = await server.client.get('/openapi.json', noKey)
  expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  expect(JSON.parse(String(body))).toEqual(buildDocument('https://usher.example.com'))
})

it('/docs runs no script and takes nothing from elsewhere', async () => {
  const { status, headers } = await server.client.get('/docs', { ...noKey, accept: 'text/html' })
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  })
  const html = await page()
  const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  expect(headers['content-security-policy']).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  )
  expect(html).not.toMatch(/<script|<img|<link|<iframe|style=|\son\w+=|javascript:/i)
})

it('/docs shows every operation, error and limit, and its links lead somewhere', async () => {
  const html = await page()
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toEqual(expect.arrayContaining(Object.keys(operations)))
  for (const code of Object.keys(errorCodes)) expect(html).toContain(`<code>${code}</code>`)
  for (const { description } of Object.values(buildDocument()['x-limits']))
    expect(html).toContain(description.split('`')[0])
  for (const [, target] of html.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target)
})

it('other methods are 405', async () => {
  for (const path of ['/docs', '/openapi.json']) {
    const { status, headers } = await server.client.send('POST', path)
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD'])
  }
})
