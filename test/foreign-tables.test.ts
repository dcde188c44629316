import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { usher, usherJson, usherProcess } from './support/command.ts'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from './support/database.ts'
import { temporaryFolder } from './support/folder.ts'
import { startNode, type TestNode } from './support/node.ts'
import { type SharedDatabase, shareDatabase } from './support/other-application.ts'
import { call } from './support/process.ts'

let folder: string
let test: TestDatabase
let shared: SharedDatabase
let server: TestNode | undefined
let foreign: Record<string, unknown[]>

beforeEach(async () => {
  folder = await temporaryFolder()
  test = await createEmptyDatabase()
  shared = await shareDatabase(test)
  foreign = await shared.contents()
  server = undefined
})
afterEach(async () => {
  await server?.end()
  await shared.close()
  await test.close()
  await rm(folder, { recursive: true, force: true })
})

const settings = () => ({ DATABASE_URL: shared.url })

async function run(...words: string[]): Promise<void> {
  const { code, stderr } = await usher(words, settings())
  expect({ code, stderr: code === 0 ? '' : stderr }, words.join(' ')).toEqual({ code: 0, stderr: '' })
  expect(await shared.contents(), words.join(' ')).toEqual(foreign)
}

it('every row of another application survives the server and every command, also a restore', async () => {
  const file = join(folder, 'backup')
  server = await startNode(settings())
  await call(server, 'POST', '/users', { id: 'ada' })
  await call(server, 'POST', '/events', { name: 'tick', user_id: 'ada' })
  expect(await shared.contents()).toEqual(foreign)
  await run('doctor')
  await run('keys', 'create', '--environment', 'Production')
  await run('environments', 'list')
  await run('backup', file)
  await server.end()
  await run('restore', file, '--replace')
  server = await startNode(settings())
  expect(await call(server, 'GET', '/users/ada')).toMatchObject({ status: 200 })
  expect(await shared.contents()).toEqual(foreign)
})

it('a backup is restored without --replace beside the tables of another application, and leaves them alone', async () => {
  const file = join(folder, 'backup')
  const source = await createTestDatabase()
  try {
    server = await startNode({ DATABASE_URL: source.url })
    await call(server, 'POST', '/users', { id: 'ada' })
    await usherJson(['backup', file], { DATABASE_URL: source.url })
    await server.end()
  } finally {
    await source.close()
  }
  await run('restore', file)
  server = await startNode(settings())
  expect(await call(server, 'GET', '/users/ada')).toMatchObject({ status: 200 })
})

it('a restore is refused while something of others depends on our tables, and changes nothing', async () => {
  const file = join(folder, 'backup')
  server = await startNode(settings())
  await call(server, 'POST', '/users', { id: 'ada' })
  await run('backup', file)
  await call(server, 'POST', '/users', { id: 'after the backup' })
  await server.end()
  await shared.query('create view billing.customers as select id from usher.users')
  const { code, stderr } = await usher(['restore', file, '--replace'], settings())
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^Something .* depends on its tables: .*\n$/),
  })
  expect(await shared.query('select id from billing.customers order by 1')).toHaveLength(2)
})

it('a schema of our name with other tables is refused in one line', async () => {
  await shared.query('create schema usher')
  await shared.query('create table usher.users (id int)')
  const { code, stderr } = await usherProcess(['start'], { ...settings(), PORT: '0' })
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^The database has a schema "usher" .*\n$/),
  })
  expect(await shared.query('select * from usher.users')).toEqual([])
})

it('a search path and options in DATABASE_URL have no effect on our tables', async () => {
  const more = `&options=${encodeURIComponent('-c search_path=billing')}&application_name=usher`
  const sealed = { DATABASE_URL: shared.url + more, USHER_SECRET_KEY: 'c'.repeat(64) }
  server = await startNode(sealed)
  expect(await call(server, 'POST', '/events', { name: 'tick', user_id: 'ada' })).toMatchObject({ status: 200 })
  expect((await usher(['doctor'], sealed)).stdout).toContain('Nothing is wrong.')
  expect(await shared.contents()).toEqual(foreign)
})
