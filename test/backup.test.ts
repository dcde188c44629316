import { copyFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { openSession } from '../server/database/session.ts'
import { usher, usherJson } from './support/command.ts'
import { createTestDatabase } from './support/database.ts'
import { temporaryFolder } from './support/folder.ts'
import { Ledger } from './support/ledger.ts'
import { startLoad } from './support/load.ts'
import { startNode, type TestNode } from './support/node.ts'
import { call, type ServerProcess, spawnServer } from './support/process.ts'

let base: string
let file: string
let first: ServerProcess | TestNode
let second: TestNode | undefined
let here: { USHER_DATA_DIR: string }
let there: { USHER_DATA_DIR: string }

beforeAll(async () => {
  base = await temporaryFolder()
  file = join(base, 'usher.backup')
  here = { USHER_DATA_DIR: join(base, 'here') }
  there = { USHER_DATA_DIR: join(base, 'there') }
  first = await spawnServer(here)
})
afterAll(async () => {
  await first?.end()
  await second?.end()
  await rm(base, { recursive: true, force: true })
})

interface Summary {
  file: string
  bytes: number
  rows: Record<string, number>
}

const counter = async (server: TestNode | ServerProcess) =>
  (await call(server, 'GET', '/users/counter')).body.attributes.n

it('a backup beside the server, under load, has all earlier acknowledged writes, and works elsewhere with the same keys', async () => {
  const ledger = new Ledger()
  const load = startLoad(() => first, ledger, 8, 1)
  await expect.poll(() => ledger.acknowledged).toBeGreaterThan(200)
  const before = { added: ledger.added, events: ledger.events.size }
  const written = await usherJson<Summary>(['backup', file], here)
  const after = { added: ledger.added + ledger.unknownAdds + 8, events: ledger.events.size + 8 }
  await load.stop()
  expect(written).toMatchObject({ file, bytes: (await stat(file)).size })
  expect((await stat(file)).mode & 0o077).toBe(0)

  const restored = await usherJson<Summary>(['restore', file], there)
  expect(restored.rows).toEqual(written.rows)
  await expect(startNode(there)).rejects.toThrow('put ')
  await copyFile(join(here.USHER_DATA_DIR, 'secret.key'), join(there.USHER_DATA_DIR, 'secret.key'))
  second = await startNode({ ...there, USHER_API_KEY: '' })
  expect(second).toMatchObject({ firstKey: undefined, key: first.key })
  const counted = await counter(second)
  expect(counted).toBeGreaterThanOrEqual(before.added)
  expect(counted).toBeLessThanOrEqual(after.added)
  expect(restored.rows.events).toBeGreaterThanOrEqual(before.events)
  expect(restored.rows.events).toBeLessThanOrEqual(after.events)
  expect(await call(second, 'POST', '/users', { id: 'new', attributes: { n: 1 } })).toMatchObject({ status: 200 })
})

it('a restore on the day of the backup puts the rows of that day into its partitions, and the server starts without a warning', async () => {
  const database = await createTestDatabase()
  const target = await createTestDatabase()
  onTestFinished(() => Promise.all([database.close(), target.close()]).then(() => {}))
  const dayFile = join(base, 'of the day')
  const server = await startNode({ DATABASE_URL: database.url })
  await call(server, 'POST', '/webhook_subscriptions', { url: 'http://127.0.0.1:1/', topics: ['user'] })
  await call(server, 'POST', '/users', { id: 'ada' })
  const attempts = () => database.database.query('select from webhook_attempts', [])
  await expect.poll(async () => (await attempts()).length).toBeGreaterThan(0)
  await usherJson(['backup', dayFile], { DATABASE_URL: database.url })
  await server.end()
  await target.database.close()
  await usherJson(['restore', dayFile, '--deliver'], { DATABASE_URL: target.url })
  const again = await startNode({ DATABASE_URL: target.url })
  await again.end()
  expect(again.output()).not.toMatch(/"level":"(warn|error)"/)
  const client = await openSession(target.connection)
  for (const table of ['webhook_notifications', 'webhook_attempts']) {
    const count = async (name: string) => (await client.query(`select from ${name}`)).rowCount
    expect(await count(table), table).toBeGreaterThan(0)
    expect(await count(`${table}_default`), table).toBe(0)
  }
  await client.end()
})

it('a restore is refused while a server runs, and without --replace where there is data', async () => {
  await call(first, 'POST', '/users', { id: 'after the backup' })
  const running = await usher(['restore', file, '--replace'], here)
  expect(running).toMatchObject({ code: 1, stdout: '', stderr: 'A server is using this database: stop it first.\n' })
  expect(await call(first, 'GET', '/users/after%20the%20backup')).toMatchObject({ status: 200 })
  await first.end()
  const full = await usher(['restore', file], here)
  expect(full).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^The database has data: .*\n$/) })
  const replaced = await usher(['restore', file, '--replace'], here)
  expect(replaced).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Restored 1 account, [\d,]+ users, .*\n$/),
  })
  first = await startNode({ ...here, USHER_API_KEY: '' })
  expect(await call(first, 'GET', '/users/after%20the%20backup')).toMatchObject({ status: 404 })
  expect(await counter(first)).toBe(await counter(second as TestNode))
})

it('a backup overwrites a file only with --overwrite', async () => {
  const before = await stat(file)
  const refused = await usher(['backup', file], here)
  expect(refused).toMatchObject({
    code: 1,
    stderr: `${file} is there already: name another file, or add --overwrite.\n`,
  })
  expect((await stat(file)).mtimeMs).toBe(before.mtimeMs)
  expect(await usher(['backup', file, '--overwrite'], here)).toMatchObject({ code: 0 })
})

it('reports in one line what it cannot back up or restore', async () => {
  const refusals = await Promise.all([
    usher(['backup', join(base, 'no folder', 'file')], here),
    usher(['restore', join(base, 'no file')], there),
    usher(['backup', join(base, 'empty')], { USHER_DATA_DIR: join(base, 'empty data') }),
  ])
  expect(refusals.map(({ code, stderr }) => [code, stderr])).toEqual([
    [1, `${join(base, 'no folder', 'file')} cannot be written: no such file or directory.\n`],
    [1, `There is no file ${join(base, 'no file')} that can be read.\n`],
    [1, expect.stringContaining(`There is no database in ${join(base, 'empty data')}`)],
  ])
})
