import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import { borrowEmbedded, type EmbeddedDatabase } from '../server/database/embedded/index.ts'
import { isRunning } from '../server/is-running.ts'
import { createTestDatabase, type TestDatabase } from './support/database.ts'
import { temporaryFolder } from './support/folder.ts'
import { Ledger } from './support/ledger.ts'
import { startLoad } from './support/load.ts'
import { silent } from './support/log.ts'
import { startNode } from './support/node.ts'
import { type Answer, call, type ServerProcess, spawnServer } from './support/process.ts'

let dataDir: string
let server: ServerProcess

beforeEach(async () => {
  dataDir = await temporaryFolder()
})
afterEach(async () => {
  await server.end()
  await rm(dataDir, { recursive: true, force: true })
})

/** A database session that locks one user. */
async function holdUser(id: string): Promise<{ letGo(): Promise<void> }> {
  const embedded: EmbeddedDatabase = await borrowEmbedded(dataDir, silent)
  const client = new pg.Client(embedded.connection)
  client.on('error', () => {})
  await client.connect()
  await client.query('begin')
  await client.query('select from users where id = $1 for update', [id])
  return {
    letGo: async () => {
      await client.end()
      await embedded.stop()
    },
  }
}

/** A client that keeps its one connection open between its calls. */
class Regular {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })

  async get(path: string): Promise<Answer & { connection: string | undefined }> {
    const { url, key } = server
    const sent = request(url + path, { agent: this.#agent, headers: { authorization: `Bearer ${key}` } }).end()
    const [response] = await once(sent, 'response')
    const text = (await response.toArray()).join('')
    return { status: response.statusCode, body: JSON.parse(text), connection: response.headers.connection }
  }
}

async function untilRefused(): Promise<void> {
  const attempt = () =>
    fetch(`${server.url}/healthz`).then(
      () => 'accepted',
      (error) => error.cause?.code ?? error.name,
    )
  await expect.poll(attempt, { interval: 10 }).toBe('ECONNREFUSED')
}

/** Without another signal. */
async function exitCode({ child }: ServerProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

/** The next start, in this process; returns the attributes of a user that it finds. */
async function startAgain(userId: string): Promise<object> {
  const again = await startNode({ USHER_DATA_DIR: dataDir })
  const { body } = await call(again, 'GET', `/users/${userId}`)
  await again.end()
  return body.attributes
}

async function postgresLog(): Promise<string> {
  return await readFile(join(dataDir, 'postgres.log'), 'utf8')
}

describe.each(['1', '2'])('with USHER_WORKERS=%s', (workers) => {
  /** In `npm test` with two workers alone, which is the harder case; in the long tests with both numbers. */
  const itWithTwo = it.runIf(workers === '2' || inject('isLong'))
  const start = async () => {
    server = await spawnServer({ USHER_DATA_DIR: dataDir, USHER_WORKERS: workers })
  }
  const inDatabase = ({ url }: TestDatabase) => ({ DATABASE_URL: url, USHER_WORKERS: workers })

  it('SIGTERM finishes requests under way, answers those on open connections and closes them, stops the database cleanly, and exits 0', async () => {
    await start()
    await call(server, 'POST', '/users', { id: 'held' })
    const regulars = Array.from({ length: 6 }, () => new Regular())
    for (const regular of regulars) expect(await regular.get('/users/held')).toMatchObject({ status: 200 })
    const holder = await holdUser('held')
    // One on every worker, so that each of them has to wait.
    const underWay = Array.from({ length: 4 }, () =>
      call(server, 'POST', '/users', { id: 'held', attributes: { n: { add: 1 } } }),
    )
    // Node accepts one connection per turn of its event loop: after this many turns each worker has accepted all of
    // them.
    for (let turn = 0; turn < 10; turn += 1) await Promise.all(regulars.map((regular) => regular.get('/users/held')))
    server.child.kill('SIGTERM')
    // A service manager, like Ctrl-C, signals all processes; a worker gets the signal twice.
    for (const worker of await workersOf(server)) process.kill(worker, 'SIGTERM')
    await untilRefused()
    const late = await Promise.all(regulars.map((regular) => regular.get('/users/held').catch(() => undefined)))
    await holder.letGo()
    expect((await Promise.all(underWay)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const answered = late.filter((answer) => answer !== undefined)
    expect(answered.length).toBeGreaterThan(0)
    for (const answer of answered) {
      expect(answer).toMatchObject({ status: 200, connection: 'close', body: { id: 'held' } })
    }
    expect(await exitCode(server)).toBe(0)
    expect(await startAgain('held')).toEqual({ n: 4 })
    expect(await postgresLog()).not.toMatch(/not properly shut down|recovery in progress/)
  })

  itWithTwo('during a shutdown delay it fails readiness, and serves new and open connections as before', async () => {
    const test = await createTestDatabase()
    onTestFinished(() => test.close())
    // Longer than this takes on any machine; the second signal ends it.
    server = await spawnServer({ ...inDatabase(test), USHER_SHUTDOWN_DELAY_SECONDS: '300' })
    const regular = new Regular()
    expect(await regular.get('/users')).toMatchObject({ status: 200, connection: 'keep-alive' })
    server.child.kill('SIGTERM')
    const readiness = () => fetch(`${server.url}/readyz`).then(({ status }) => status)
    // Several failures in a row mean that every worker is stopping.
    await expect.poll(async () => await Promise.all(Array.from({ length: 8 }, readiness))).toEqual(Array(8).fill(503))
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await regular.get('/users')).toMatchObject({ status: 200, connection: 'close' })
      expect(await call(server, 'POST', '/users', { id: `late-${turn}` })).toMatchObject({ status: 200 })
    }
    expect(server.output()).not.toMatch(/"level":"(warn|error)"/)
    server.child.kill('SIGTERM')
    expect(await exitCode(server)).toBe(1)
    expect(await test.database.query('select id from users order by id', [])).toHaveLength(3)
  })

  itWithTwo('after its shutdown delay it ends by itself, with exit code 0 and without a warning', async () => {
    const test = await createTestDatabase()
    onTestFinished(() => test.close())
    server = await spawnServer({ ...inDatabase(test), USHER_SHUTDOWN_DELAY_SECONDS: '1' })
    expect(await server.end('SIGTERM')).toBe(0)
    expect(server.output()).toMatch(/stopping … in 1 s/)
    expect(server.output()).not.toMatch(/"level":"(warn|error)"/)
  })

  itWithTwo('a second SIGTERM ends it at once, and the next start finds everything', async () => {
    await start()
    await call(server, 'POST', '/users', { id: 'held', attributes: { n: 1 } })
    const holder = await holdUser('held')
    const broken = call(server, 'POST', '/users', { id: 'held', attributes: { n: 2 } }).catch((error) => error)
    await expect.poll(async () => (await call(server, 'GET', '/users/other')).status).toBe(404)
    server.child.kill('SIGTERM')
    await untilRefused()
    server.child.kill('SIGTERM')
    expect(await exitCode(server)).toBe(1)
    expect(await broken).toBeInstanceOf(TypeError)
    await holder.letGo()
    expect(await startAgain('held')).toEqual({ n: 1 })
  })
})

describe.runIf(process.platform === 'linux')('of two workers', () => {
  it('one that is killed is replaced, and nothing that was acknowledged is lost', async () => {
    const test = await createTestDatabase()
    onTestFinished(() => test.close())
    server = await spawnServer({ DATABASE_URL: test.url, USHER_WORKERS: '2' })
    const ledger = new Ledger()
    const load = startLoad(() => server, ledger, 8, 1)
    for (let kills = 0; kills < (inject('isLong') ? 2 : 1); kills += 1) {
      const before = ledger.acknowledged
      await expect.poll(() => ledger.acknowledged).toBeGreaterThan(before + 100)
      const [victim] = await workersOf(server)
      process.kill(victim as number, 'SIGKILL')
      await expect.poll(() => workersOf(server)).not.toContain(victim)
      await expect.poll(async () => (await workersOf(server)).length).toBe(2)
    }
    await load.stop()
    expect(await server.end()).toBe(0)
    await ledger.audit(test.connection)
  })

  it('all workers end when the first process is killed, and the next start works', async () => {
    server = await spawnServer({ USHER_DATA_DIR: dataDir, USHER_WORKERS: '2' })
    await call(server, 'POST', '/users', { id: 'u' })
    const workers = await workersOf(server)
    expect(workers).toHaveLength(2)
    await server.end('SIGKILL')
    await expect.poll(() => workers.filter(isRunning)).toEqual([])
    expect(await startAgain('u')).toEqual({})
  })
})

/** The children that are servers too; PostgreSQL is the other kind. */
async function workersOf({ child }: ServerProcess): Promise<number[]> {
  const list = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').catch(() => '')
  const children = list.trim().split(' ')
  const commands = await Promise.all(children.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return children.filter((_, index) => commands[index]?.includes('bin/usher.js')).map(Number)
}
