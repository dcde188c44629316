import { readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest'
import { type EmbeddedDatabase, startEmbedded } from '../server/database/embedded/index.ts'
import { temporaryFolder } from './support/folder.ts'
import { Ledger } from './support/ledger.ts'
import { startLoad } from './support/load.ts'
import { silent } from './support/log.ts'
import { call, type ServerProcess, spawnServer } from './support/process.ts'

/** One server under continuous load, and its own PostgreSQL, which the tests disturb. */
let folder: string
let postgres: EmbeddedDatabase
let server: ServerProcess
const ledger = new Ledger()

beforeAll(async () => {
  folder = await temporaryFolder()
  postgres = await startEmbedded(folder, silent)
  const { host, port, user, password, database } = postgres.connection
  const address = `postgres://${user}:${password}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
  server = await spawnServer({ DATABASE_URL: address })
})
afterAll(async () => {
  await server?.end()
  await postgres?.stop()
  await rm(folder, { recursive: true, force: true })
})

let round = 0
beforeEach(() => {
  round += 1
})

/** Causes the fault under load, then compares the answers with the tables once the server works again. */
async function under(fault: () => Promise<void>): Promise<void> {
  const load = startLoad(() => server, ledger, 8, round, `${round}-`)
  const before = ledger.acknowledged
  await expect.poll(() => ledger.acknowledged).toBeGreaterThan(before + 50)
  await fault()
  const after = ledger.acknowledged
  await expect.poll(() => ledger.acknowledged).toBeGreaterThan(after + 50)
  await load.stop()
  await ledger.audit(postgres.connection)
  expect(await call(server, 'GET', '/users?limit=1')).toMatchObject({ status: 200 })
}

const refused = () => ledger.statuses[503] ?? 0

async function untilRefused(): Promise<void> {
  const before = refused()
  await expect.poll(refused).toBeGreaterThan(before)
}

async function connected(): Promise<pg.Client> {
  const client = new pg.Client(postgres.connection)
  client.on('error', () => {})
  await client.connect()
  return client
}

it('requests wait or get 503 while PostgreSQL is stopped, and the server continues when it is back', async () => {
  await under(async () => {
    await postgres.stop()
    await untilRefused()
    // A cached key may have been revoked since, and an unknown key cannot be checked.
    for (const key of [server.key, `ak_${'x'.repeat(26)}`]) {
      expect(await call({ ...server, key }, 'GET', '/users/x')).toMatchObject({
        status: 503,
        body: { error: { code: 'unavailable' } },
        retryAfter: expect.stringMatching(/^\d+$/),
      })
    }
    postgres = await startEmbedded(folder, silent)
  })
})

it('kills of PostgreSQL neither lose nor duplicate acknowledged writes', async () => {
  await under(async () => {
    for (let kills = 0; kills < (inject('isLong') ? 2 : 1); kills += 1) {
      const { pid } = postgres
      process.kill(pid, 'SIGKILL')
      await expect.poll(() => postgres.pid).not.toBe(pid)
      const before = ledger.acknowledged
      await expect.poll(() => ledger.acknowledged).toBeGreaterThan(before + 20)
    }
  })
})

it('a lock on one user fails the writes of that user alone', async () => {
  await under(async () => {
    const holder = await connected()
    await holder.query('begin')
    await holder.query("select from users where id = 'counter' for update")
    const others = await Promise.all(
      ['a', 'b', 'c'].map((id) => call(server, 'POST', '/users', { id: `free-${round}-${id}`, groups: [{ id: 'g' }] })),
    )
    const held = await call(server, 'POST', '/users', { id: 'counter', attributes: { seen: true } })
    await holder.end()
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(held).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } })
  })
})

it('requests wait or get 503 while a whole table is locked', async () => {
  await under(async () => {
    const holder = await connected()
    await holder.query('begin; lock table users in access exclusive mode')
    await untilRefused()
    await holder.end()
  })
})

it('requests get 503 while PostgreSQL accepts no connections', async () => {
  await under(async () => {
    const first = await connected()
    const mine = [first]
    const before = refused()
    // The server may connect again before this test does, so it is disconnected until it is refused.
    let isFull = false
    while (refused() === before) {
      await first.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'usher'")
      const more: PromiseSettledResult<pg.Client>[] = await Promise.allSettled(
        Array.from({ length: isFull ? 1 : 20 }, connected),
      )
      for (const one of more)
        if (one.status === 'fulfilled') mine.push(one.value)
        else expect(one.reason.code).toBe('53300')
      isFull = more.every(({ status }) => status === 'rejected')
      if (isFull) await sleep(50)
    }
    await Promise.all(mine.map((client) => client.end()))
  })
})

/** The postmaster and its children, by the parent that `/proc` tells. */
function processesOf(postmaster: number): number[] {
  const children = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      return readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(postmaster)
    } catch {
      return false
    }
  })
  return [postmaster, ...children.map(Number)]
}

it.runIf(process.platform === 'linux')(
  'a PostgreSQL that says nothing at all for some seconds is waited for',
  async () => {
    await under(async () => {
      const stopped = processesOf(postgres.pid)
      for (const pid of stopped) process.kill(pid, 'SIGSTOP')
      await sleep(4_000)
      for (const pid of stopped) process.kill(pid, 'SIGCONT')
    })
  },
)
