import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { leastIdAt, newId } from '../server/ids.ts'
import { createTestDatabase, type TestDatabase } from './support/database.ts'
import { eventually } from './support/deliveries.ts'
import { temporaryFolder } from './support/folder.ts'
import { startNode } from './support/node.ts'
import { call, type ServerProcess, spawnServer, usherMain } from './support/process.ts'

const DAY_MS = 86_400_000

let test: TestDatabase
let server: ServerProcess
/** Where imports write the lines that they refuse. */
let folder: string
beforeAll(async () => {
  folder = await temporaryFolder()
  test = await createTestDatabase()
  server = await start()
})
afterAll(async () => {
  await server.end('SIGKILL')
  await test.close()
  await rm(folder, { recursive: true, force: true })
})

const start = () => spawnServer({ DATABASE_URL: test.url })

async function count(where: string): Promise<number> {
  const { rows } = await test.database.pool.query(`select count(*)::int as count from events where ${where}`)
  return rows[0].count
}

it('a server that is killed while it deletes old events deletes the rest after its start, and no younger event', async () => {
  const young = await call(server, 'POST', '/events', { name: 'young', user_id: 'u' })
  expect(young.status).toBe(200)
  const old = leastIdAt(Date.now() - 3 * DAY_MS).slice(0, 13)
  await test.database.pool.query(
    `insert into events (environment_id, id, name, attributes, time, created_at)
     select environment_id, ('${old}-7000-8' || substr(md5(n::text), 1, 3) || '-' || substr(md5(n::text), 4, 12))::uuid,
            'old', '{}', now(), now()
       from (select environment_id from events) as young, generate_series(1, 20000) as n`,
  )
  // A row that somebody has locked is left for later, so it does not finish before it is killed.
  const holder = await test.database.pool.connect()
  await holder.query(`begin; select from events where name = 'old' order by id desc limit 1 for update`)
  await test.database.pool.query('update environments set keep_events_days = 2')
  await eventually('some are gone', async () => (await count("name = 'old'")) < 20_000)
  await server.end('SIGKILL')
  expect(await count("name = 'old'")).toBeGreaterThan(0)
  await holder.query('rollback')
  holder.release()
  server = await start()
  await eventually('all old ones are gone', async () => (await count("name = 'old'")) === 0)
  expect((await call(server, 'GET', '/events')).body.data.map(({ id }: { id: string }) => id)).toEqual([young.body.id])
})

it('counts of definitions are at most some seconds behind after a kill, and exact after a stop', async () => {
  const track = async () =>
    expect((await call(server, 'POST', '/events', { name: 'counted', user_id: 'u' })).status).toBe(200)
  const counted = async (): Promise<number> => {
    const { body } = await call(server, 'GET', '/event_definitions?limit=100')
    return body.data.find(({ name }: { name: string }) => name === 'counted').event_count
  }
  for (let n = 0; n < 5; n += 1) await track()
  await eventually('they are counted', async () => (await counted()) === 5)
  for (let n = 0; n < 5; n += 1) await track()
  await server.end('SIGKILL')
  server = await start()
  const afterKill = await counted()
  expect(afterKill).toBeGreaterThanOrEqual(5)
  expect(afterKill).toBeLessThanOrEqual(10)
  for (let n = 0; n < 5; n += 1) await track()
  expect(await server.end('SIGTERM')).toBe(0)
  server = await start()
  expect(await counted()).toBe(afterKill + 5)
})

/** `usher import events -` in its own process; it is killed when the condition holds. */
async function importEvents(
  settings: Record<string, string>,
  lines: readonly unknown[],
  isEnough?: () => Promise<boolean>,
): Promise<string> {
  const main = await usherMain()
  return await new Promise((resolve) => {
    const env = { PATH: process.env.PATH, ...settings }
    const child = execFile(
      process.execPath,
      [main, 'import', 'events', '-', '--environment', 'Production', '--json'],
      { env, cwd: folder },
      (_, stdout) => resolve(stdout),
    )
    child.stdin?.on('error', () => {})
    const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`
    // One that is to be killed never gets the end of its last line, so it does not finish before.
    child.stdin?.write(isEnough ? text.slice(0, -2) : text)
    if (!isEnough) child.stdin?.end()
    else void eventually('enough is stored', isEnough).finally(() => child.kill('SIGKILL'))
  })
}

it('an import from standard input that was killed starts again, and doubles no event that has its id', async () => {
  const lines = Array.from({ length: 5_000 }, (_, n) => ({
    object: 'event',
    id: newId(),
    name: 'piped',
    user_id: 'u',
    attributes: { n },
  }))
  const settings = { DATABASE_URL: test.url }
  await importEvents(settings, lines, async () => (await count("name = 'piped'")) > 0)
  const stored = await count("name = 'piped'")
  expect(stored).toBeGreaterThan(0)
  expect(stored).toBeLessThan(5_000)
  const [{ stored: storedThen, refused }] = JSON.parse(await importEvents(settings, lines))
  expect({ storedThen, refused }).toEqual({ storedThen: 5_000 - stored, refused: stored })
  expect(await count("name = 'piped'")).toBe(5_000)
})

it('an import from standard input works beside a server with the embedded database', async () => {
  const embedded = await startNode({ USHER_DATA_DIR: join(folder, 'data') })
  onTestFinished(() => embedded.end())
  const lines = [{ name: 'piped', user_id: 'u', time: '2020-01-02T03:04:05Z' }, { name: 7 }]
  expect(JSON.parse(await importEvents({ USHER_DATA_DIR: join(folder, 'data') }, lines))).toMatchObject([
    { stored: 1, refused: 1 },
  ])
  expect((await call(embedded, 'GET', '/events')).body.data).toMatchObject([
    { name: 'piped', time: '2020-01-02T03:04:05Z' },
  ])
})
