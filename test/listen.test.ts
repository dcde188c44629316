import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifySignature } from '../contract/signature.ts'
import { usher } from './support/command.ts'
import { createTestDatabase, type TestDatabase } from './support/database.ts'
import { eventually, type Inbox, openInbox } from './support/deliveries.ts'
import { temporaryFolder } from './support/folder.ts'
import { startNode, type TestNode } from './support/node.ts'
import { call, usherMain } from './support/process.ts'
import { createKeys } from './support/service.ts'

let database: TestDatabase
let server: TestNode
let otherNode: TestNode
let inbox: Inbox
let folder: string

beforeAll(async () => {
  database = await createTestDatabase()
  const settings = { DATABASE_URL: database.url, USHER_LOG_LEVEL: 'silent' }
  server = await startNode(settings)
  otherNode = await startNode(settings)
  inbox = await openInbox()
  folder = await temporaryFolder()
})
afterAll(async () => {
  await Promise.all([server.end(), otherNode.end()])
  await inbox.close()
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

let secretBefore: string

interface Listening {
  child: ChildProcess
  output(): string
  secret: string
}

async function listen(...more: string[]): Promise<Listening> {
  const child = spawn(process.execPath, [await usherMain(), 'listen', '--environment', 'Production', ...more], {
    env: { PATH: process.env.PATH, DATABASE_URL: database.url, USHER_DATA_DIR: folder },
  })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  await eventually('it listens', async () => text.includes('whsec_') && (await listeners()) > 0)
  return { child, output: () => text, secret: /whsec_[\w-]+/.exec(text)?.[0] ?? '' }
}

async function listeners(): Promise<number> {
  const rows = await database.database.query('select from webhook_subscriptions where listener_until is not null', [])
  return rows.length
}

it('prints and forwards what is written on each of two nodes, signed, until Ctrl-C, and leaves nothing behind', async () => {
  const { child, output, secret } = await listen('--forward', inbox.url)
  const [otherKey] = (await createKeys(database.database, 'self_hosted', ['Other'])) as [string]
  await call({ ...server, key: otherKey }, 'POST', '/users', { id: 'of another environment' })
  for (const [n, node] of [server, otherNode].entries()) {
    await call(node, 'POST', '/users', { id: `on node ${n}` })
    await call(node, 'POST', '/events', { name: `seen_${n}`, user_id: `on node ${n}` })
  }
  await eventually('all are forwarded', () => inbox.arrivals.length === 4)
  for (const { headers, body } of inbox.arrivals) {
    const header = String(headers['service-signature'])
    expect(verifySignature({ header, body, secret, nowSeconds: Date.now() / 1000 })).toEqual({ valid: true })
  }
  const printed = () => (output().match(/user\.created|event\.tracked\.seen_\d/g) ?? []).toSorted()
  const expected = ['event.tracked.seen_0', 'event.tracked.seen_1', 'user.created', 'user.created']
  await expect.poll(printed).toEqual(expected)
  const ids = inbox.arrivals.map(({ body }) => JSON.parse(body).data.object.id)
  expect(ids).toEqual(expect.arrayContaining(['on node 0', 'on node 1']))
  expect(output()).not.toContain('of another environment')
  expect((await call(server, 'GET', '/webhook_subscriptions', undefined)).body.data).toEqual([])
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  // As any command that Ctrl-C ends.
  expect(await ended).toEqual([130, null])
  expect(await listeners()).toBe(0)
  secretBefore = secret
})

it('under --json every line is a JSON document, and the secret is that of the run before', async () => {
  const { child, output, secret } = await listen('--json', '--topics', 'user.created')
  await call(server, 'POST', '/users', { id: 'u_3' })
  await eventually('it is printed', () => output().includes('user.created'))
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  await ended
  const [first, second] = output().split('\n')
  expect(JSON.parse(first as string)).toEqual({ secret })
  expect(secret).toBe(secretBefore)
  expect(JSON.parse(second as string)).toMatchObject({ topic: 'user.created', forwarded: null })
})

it('is cleaned up by the server when the command was killed', async () => {
  const { child } = await listen('--topics', 'user.created')
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  expect(await listeners()).toBe(1)
  await call(server, 'POST', '/users', { id: 'u_2' })
  await database.database.query(
    'update webhook_subscriptions set listener_until = now() where listener_until is not null',
    [],
  )
  await eventually('the subscription is deleted', async () => (await listeners()) === 0)
  await eventually(
    'its deliveries too',
    async () => (await database.database.query('select from webhook_deliveries', [])).length === 0,
  )
})

it.each([
  [['--forward', 'ftp://127.0.0.1/'], /--forward must be an absolute https/],
  [['--forward', 'http://example.com/'], /--forward must be an absolute https/],
  [['--topics', 'nothing'], /--topics: 'nothing'/],
])('says what is wrong with %j', async (options, message) => {
  const { code, stderr } = await usher(['listen', '--environment', 'Production', ...options], {
    DATABASE_URL: database.url,
  })
  expect(code).not.toBe(0)
  expect(stderr).toMatch(message)
})
