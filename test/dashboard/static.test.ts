import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { addPages } from '../../server/dashboard/static.ts'
import type { Exchange } from '../../server/http/exchange.ts'
import type { Router } from '../../server/http/router.ts'
import { buildDashboard } from '../support/built.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { temporaryFolder } from '../support/folder.ts'

const built = fileURLToPath(new URL('../../dashboard/dist/', import.meta.url))
let server: TestServer
let page: string
beforeAll(async () => {
  page = await readFile(`${built}index.html`, 'utf8')
  server = await startTestServer()
})
afterAll(async () => await server.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers, redirect: 'manual' })

it('a browser that requests / is redirected to the dashboard; other clients need a key there', async () => {
  const browser = await get('/', { accept: 'text/html,application/xhtml+xml' })
  expect([browser.status, browser.headers.get('location')]).toEqual([302, '/app/'])
  expect((await get('/')).status).toBe(401)
  expect((await get('/app')).headers.get('location')).toBe('/app/')
})

it.each([
  '/app/',
  '/app/production/users?q=ada',
  '/app/production/users/u%2F1',
  '/app/production/users/u.1',
  '/app/sign-in',
])(
  '%s is the page, with a policy that allows nothing inline and nothing from elsewhere, and is never kept',
  async (path) => {
    const answer = await get(path)
    expect([answer.status, await answer.text()]).toEqual([200, page])
    const policy = answer.headers.get('content-security-policy') as string
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('request-id')).toMatch(/^req_/)
  },
)

it('files with a hash in their name may be cached forever', async () => {
  const [name] = (await readdir(`${built}assets`)).filter((one) => one.endsWith('.js'))
  const answer = await get(`/app/assets/${name}`)
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
  expect((await get('/app/assets/missing.js')).status).toBe(404)
})

it('a file is the same when it is requested by its whole address, as a proxy may do', async () => {
  const [name] = (await readdir(`${built}assets`)).filter((one) => one.endsWith('.js'))
  const { hostname, port } = new URL(server.url)
  const request = httpRequest({ hostname, port, path: `${server.url}/app/assets/${name}` }).end()
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  answer.resume()
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/javascript'])
})

it.each(['/app/../package.json', '/app/..%2f..%2fpackage.json', '/app/%2e%2e/package.json', '/app/assets/%00'])(
  '%s shows no file outside of the folder',
  async (path) => {
    expect(await (await get(path)).text()).not.toContain('"dependencies"')
  },
)

it('a file that was removed since the start is a failed load, and the server keeps running', async () => {
  const folder = await temporaryFolder()
  await mkdir(`${folder}/assets`)
  for (const name of ['index.html', 'assets/kept.js', 'assets/removed.js']) await writeFile(`${folder}/${name}`, name)
  let answer = (_: Exchange): unknown => undefined
  const router = {
    add: (_method: string, _path: string, endpoint: { answer: typeof answer }) => ({ answer } = endpoint),
  }
  addPages(router as unknown as Router, folder)
  const files = createServer((request, response) => {
    answer({ request, response, url: request.url, handHeaders: () => {} } as unknown as Exchange)
  }).listen(0, '127.0.0.1')
  onTestFinished(async () => {
    files.close()
    await rm(folder, { recursive: true, force: true })
  })
  await once(files, 'listening')
  const load = async (name: string) =>
    await (await fetch(`http://127.0.0.1:${(files.address() as AddressInfo).port}/app/assets/${name}`)).text()
  expect(await load('removed.js')).toBe('assets/removed.js')
  await rm(`${folder}/assets/removed.js`)
  await expect(load('removed.js')).rejects.toThrow()
  expect(await load('kept.js')).toBe('assets/kept.js')
})

it('what is built stays in place when npm runs the installation step again, as the first npx usher in a checkout does', async () => {
  await buildDashboard()
  const before = await stat(`${built}index.html`)
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL('../../dashboard/build.ts', import.meta.url))])
  expect(await stat(`${built}index.html`)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs })
})
