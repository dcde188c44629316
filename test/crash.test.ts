import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { borrowEmbedded } from '../server/database/embedded/index.ts'
import { temporaryFolder } from './support/folder.ts'
import { silent } from './support/log.ts'
import { call, type ServerProcess, spawnServer } from './support/process.ts'

let dataDir: string
let server: ServerProcess | undefined

beforeEach(async () => {
  dataDir = await temporaryFolder()
})
afterEach(async () => {
  await server?.end()
  await rm(dataDir, { recursive: true, force: true })
})

/** What was acknowledged, and what may or may not have been stored because its answer never came. */
class Ledger {
  readonly users: string[] = []
  readonly events: string[] = []
  added = 0
  unanswered = 0
}

/** Sixteen callers that go on until they are stopped, or the server is gone. */
function load(target: ServerProcess, ledger: Ledger, round: number): { stop(): Promise<void> } {
  let running = true
  const caller = async (worker: number) => {
    for (let count = 0; running; count += 1) {
      const id = `${round}-${worker}-${count}`
      try {
        const user = await call(target, 'POST', '/users', {
          id,
          attributes: { n: count },
          groups: [{ id: `g${worker}` }],
        })
        if (user.status === 200) ledger.users.push(id)
        const event = await call(target, 'POST', '/events', { name: 'tick', user_id: id })
        if (event.status === 200) ledger.events.push(event.body.id)
        const counter = await call(target, 'POST', '/users', { id: 'counter', attributes: { n: { add: 1 } } })
        if (counter.status === 200) ledger.added += 1
        else ledger.unanswered += 1
        expect([200, 503]).toContain(counter.status)
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        ledger.unanswered += 1
        if (target.child.exitCode !== null || target.child.signalCode !== null) return
      }
    }
  }
  const callers = Array.from({ length: 16 }, (_, worker) => caller(worker))
  return {
    stop: async () => {
      running = false
      await Promise.all(callers)
    },
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10))
}

async function audit(ledger: Ledger): Promise<void> {
  const embedded = await borrowEmbedded(dataDir, silent)
  const client = new pg.Client(embedded.connection)
  await client.connect()
  const missing = async (table: string, type: string, ids: string[]) => {
    const { rows } = await client.query(
      `select id from unnest($1::${type}[]) as id where not exists (select from ${table} where ${table}.id = id.id)`,
      [ids],
    )
    return rows
  }
  expect(await missing('users', 'text', ledger.users)).toEqual([])
  expect(await missing('events', 'uuid', ledger.events)).toEqual([])
  const { rows } = await client.query<{ n: number }>(
    "select (attributes ->> 'n')::int as n from users where id = 'counter'",
  )
  expect(rows[0]?.n).toBeGreaterThanOrEqual(ledger.added)
  expect(rows[0]?.n).toBeLessThanOrEqual(ledger.added + ledger.unanswered)
  const { rows: half } = await client.query(
    "select id from users where id <> 'counter' and not exists (select from group_memberships where user_id = users.id)",
  )
  expect(half).toEqual([])
  await client.end()
  await embedded.stop()
}

it('loses nothing that was acknowledged when the server is killed under load, three times', async () => {
  const ledger = new Ledger()
  for (let round = 0; round < 3; round += 1) {
    server = await spawnServer({ USHER_DATA_DIR: dataDir })
    const before = ledger.events.length
    const traffic = load(server, ledger, round)
    await until(() => ledger.events.length > before + 150)
    await server.end('SIGKILL')
    await traffic.stop()
  }
  expect(ledger.users.length).toBeGreaterThan(450)
  await audit(ledger)
})

it('loses nothing, and counts nothing twice, when PostgreSQL is killed under load, and goes on by itself', async () => {
  const ledger = new Ledger()
  server = await spawnServer({ USHER_DATA_DIR: dataDir })
  const traffic = load(server, ledger, 0)
  for (let round = 0; round < 3; round += 1) {
    const before = ledger.events.length
    await until(() => ledger.events.length > before + 150)
    const postmaster = await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8')
    process.kill(Number.parseInt(postmaster, 10), 'SIGKILL')
  }
  const before = ledger.events.length
  await until(() => ledger.events.length > before + 150)
  await traffic.stop()
  await audit(ledger)
  expect(await server.end()).toBe(0)
})
