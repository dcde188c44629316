import { afterAll, beforeAll, expect, it } from 'vitest'
import { usher } from '../support/command.ts'
import { Browser, PASSWORD } from '../support/dashboard.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startNode, type TestNode } from '../support/node.ts'

let test: TestDatabase
let server: TestNode
beforeAll(async () => {
  test = await createTestDatabase()
  server = await startNode({ DATABASE_URL: test.url })
})
afterAll(async () => {
  await server.end()
  await test.close()
})

const linkIn = (text: string) => /\/app\/set-up#([\w-]{43})/.exec(text)?.[1] as string

it('the first start and the command line print links that make the owner, and the one that is used ends the other', async () => {
  const firstLink = linkIn(server.setUpPath as string)
  const browser = new Browser(server.url)
  const settings = { DATABASE_URL: test.url, USHER_BASE_URL: server.url }
  const named = await usher(['members', 'link', '--email', 'nobody@example.com'], settings)
  expect([named.code, named.stderr]).toEqual([1, 'There is no member nobody@example.com; there are: none.\n'])
  const { stdout } = await usher(['members', 'link'], settings)
  expect(stdout.trim()).toBe(`${server.url}/app/set-up#${linkIn(stdout)}`)
  const first = async () => (await browser.call('readLink', { token: firstLink })).state
  expect(await first()).toBe('open')
  const made = await browser.call('useLink', { token: linkIn(stdout), email: 'owner@example.com', password: PASSWORD })
  expect(made.member).toMatchObject({ email: 'owner@example.com', role: 'owner' })
  expect(await first()).not.toBe('open')
  expect((await usher(['members', 'list'], settings)).stdout).toContain('owner@example.com')
  await browser.close()
})

it('a second account gets its owner by a link of its own, and a further one is for the password of that owner', async () => {
  const settings = { DATABASE_URL: test.url, USHER_BASE_URL: server.url }
  await usher(['accounts', 'create', 'Acme'], settings)
  const browser = new Browser(server.url)
  const print = async () => linkIn((await usher(['members', 'link', '--account', 'Acme'], settings)).stdout)
  const token = await print()
  expect(await browser.call('readLink', { token })).toMatchObject({ kind: 'set_up', account_name: 'Acme' })
  const made = await browser.call('useLink', { token, email: 'acme@example.com', password: PASSWORD })
  expect([made.member.role, made.account.name]).toEqual(['owner', 'Acme'])
  expect(await browser.call('readLink', { token: await print() })).toMatchObject({ email: 'acme@example.com' })
  expect(await usher(['members', 'link', '--account', 'Nobody'], settings)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no account Nobody; there are: Default, Acme.'),
  })
  await test.database.query("delete from members where email = 'acme@example.com'", [])
  await browser.close()
})

it('a forgotten password is replaced through a link, which the audit log records', async () => {
  const settings = { DATABASE_URL: test.url, USHER_BASE_URL: server.url }
  const { stdout } = await usher(['members', 'link'], settings)
  const browser = new Browser(server.url)
  const token = linkIn(stdout)
  expect(await browser.call('readLink', { token })).toMatchObject({ kind: 'password', email: 'owner@example.com' })
  await browser.call('useLink', { token, password: 'another password' })
  const { data } = await browser.call('listAuditEntries', { action: 'member' })
  expect(data.map(({ action, actor_kind }) => [action, actor_kind])).toContainEqual(['member.link_created', 'command'])
  await browser.close()
})
