import { execFile, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createTestDatabase, type TestDatabase } from './support/database.ts'
import { startNode, type TestNode } from './support/node.ts'
import { call } from './support/process.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
let database: TestDatabase
let server: TestNode
beforeAll(async () => {
  database = await createTestDatabase()
  server = await startNode({ DATABASE_URL: database.url })
})
afterAll(async () => {
  await server.end()
  await database.close()
})
const environment = () => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  USHER_URL: server.url,
  USHER_API_KEY: server.key,
})

it('the Python script copies its data and reads it back, page by page, also with existing users', async () => {
  await call(server, 'POST', '/users', { id: 'u_1', attributes: { name: 'Ada' } })
  const { stdout } = await promisify(execFile)('python3', ['examples/python/sync.py'], {
    cwd: root,
    env: environment(),
  })
  expect(stdout).toContain(
    "ada 2024-05-01T08:00:00Z ['engines']\ngrace 2024-06-01T08:00:00Z ['compilers']\nedsger 2024-07-01T08:00:00Z ['compilers']\n",
  )
  expect(stdout.split('\n')).toContain('u_1 None []')
})

it('the shop says in words that its key is wrong', async () => {
  const env = { ...environment(), USHER_API_KEY: 'ak_wrong', PORT: '0' }
  const shop = promisify(execFile)('npm', ['run', '-s', 'example:shop'], { cwd: root, env })
  await expect(shop).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^http:\S+: .*\nAre USHER_URL and USHER_API_KEY those of your server\?\n$/),
  })
})

it('the shop identifies its customers, tracks their orders, receives the webhooks and shows them', async () => {
  const child = spawn('npm', ['run', '-s', 'example:shop'], {
    cwd: root,
    env: { ...environment(), PORT: '0' },
    detached: true,
  })
  const stop = () => {
    try {
      process.kill(-(child.pid as number), 'SIGTERM')
    } catch {
      // The whole group has ended.
    }
  }
  onTestFinished(stop)
  let text = ''
  const read = (chunk: Buffer) => {
    text += chunk
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  await expect.poll(() => text).toMatch(/open at http\S+/)
  const [, shop] = /open at (http\S+)/.exec(text) as unknown as [string, string]

  await fetch(`${shop}/orders`, { method: 'POST', body: new URLSearchParams({ name: 'Ada <3', product: 'Tea' }) })
  expect(await call(server, 'GET', '/users/customer_ada_3')).toMatchObject({
    body: { attributes: { name: 'Ada <3', orders: 1 } },
  })
  const page = async () => await (await fetch(shop)).text()
  await expect.poll(page).toContain('<li>event.tracked.order_placed</li>')
  await expect.poll(page).toContain('<li>user.created</li>')
  expect(await page()).toContain('<li>Ada &#60;3: Tea</li>')

  stop()
  const subscriptions = async () => (await call(server, 'GET', '/webhook_subscriptions')).body.data
  await expect.poll(subscriptions).toEqual([])
})
