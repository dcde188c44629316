import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, inject, it } from 'vitest'
import { SENDING } from '../server/webhooks/delivery/states.ts'
import { createTestDatabase, type TestDatabase } from './support/database.ts'
import { eventually, type Inbox, openInbox } from './support/deliveries.ts'
import { temporaryFolder } from './support/folder.ts'
import { call, type ServerProcess, spawnServer } from './support/process.ts'

/** Between the calls of one caller: four scenes share the machine. */
const PAUSE_MS = 20
/** Acknowledged before something is killed. */
const BEFORE = inject('isLong') ? 300 : 150
/** While nothing is tested but that the leases of a node end. */
const LONG_PAUSE_MS = 500

/** Clients that write until they are stopped, and record what was acknowledged. */
class Load {
  readonly acknowledged: string[] = []
  pauseMs = PAUSE_MS
  #running = true
  readonly #callers: Promise<void>[]

  constructor(servers: () => readonly ServerProcess[]) {
    this.#callers = Array.from({ length: 8 }, (_, caller) => this.#call(servers, caller))
  }

  async #call(servers: () => readonly ServerProcess[], caller: number): Promise<void> {
    while (this.#running) {
      const alive = servers()
      // Each node has half of the callers: those of a stopped node wait with it.
      const server = alive[caller % alive.length]
      try {
        const event = server && (await call(server, 'POST', '/events', { name: 'tick', user_id: `u${caller}` }))
        if (event?.status === 200) this.acknowledged.push(event.body.id)
      } catch {
        // The outcome is unknown.
      }
      await sleep(this.pauseMs)
    }
  }

  async reach(count: number): Promise<void> {
    const goal = this.acknowledged.length + count
    await eventually(`${count} more are acknowledged`, () => this.acknowledged.length >= goal)
  }

  async stop(): Promise<void> {
    this.#running = false
    await Promise.all(this.#callers)
  }
}

class Scene {
  servers: ServerProcess[] = []
  inbox!: Inbox
  readonly cleanUps: (() => Promise<unknown>)[] = []
  readonly #arrived = new Map<string, number>()
  #counted = 0

  async open(environment: Record<string, string>, count: number): Promise<void> {
    this.inbox = await openInbox()
    this.servers = await Promise.all(Array.from({ length: count }, () => spawnServer(environment)))
    const [server] = this.servers as [ServerProcess]
    await call(server, 'POST', '/webhook_subscriptions', { url: this.inbox.url, topics: ['event'] })
  }

  /** How often each event arrived. */
  arrived(): ReadonlyMap<string, number> {
    for (const { body } of this.inbox.arrivals.slice(this.#counted)) {
      const { id } = JSON.parse(body).data.object
      this.#arrived.set(id, (this.#arrived.get(id) ?? 0) + 1)
      this.#counted += 1
    }
    return this.#arrived
  }

  async allArrive(acknowledged: readonly string[]): Promise<void> {
    const missing = () => {
      const arrived = this.arrived()
      return acknowledged.filter((id) => !arrived.has(id))
    }
    await eventually('every acknowledged event has arrived', () => missing().length === 0)
  }

  duplicates(): number {
    return this.arrived()
      .values()
      .reduce((sum, count) => sum + count - 1, 0)
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.end()))
    await this.inbox.close()
    for (const cleanUp of this.cleanUps) await cleanUp()
  }
}

async function leased({ database }: TestDatabase): Promise<number> {
  const [row] = await database.query<{ n: number }>(
    `select count(*) as n from webhook_deliveries where state = ${SENDING}`,
    [],
  )
  return row?.n ?? 0
}

// What is killed here only in the long tests is killed by test/drill.test.ts too.
const inLong = it.runIf(inject('isLong'))

describe.concurrent('every acknowledged write is notified, and only deliveries in flight are sent twice', () => {
  it('when the server is killed under load and started again', async () => {
    const database = await createTestDatabase()
    const scene = new Scene()
    scene.cleanUps.push(() => database.close())
    await scene.open({ DATABASE_URL: database.url }, 1)
    const [server] = scene.servers as [ServerProcess]
    const load = new Load(() => scene.servers)
    await load.reach(BEFORE)
    await server.end('SIGKILL')
    const underWay = await leased(database)
    scene.servers = [await spawnServer({ DATABASE_URL: database.url })]
    await load.reach(100)
    await load.stop()
    await scene.allArrive(load.acknowledged)
    expect(scene.duplicates()).toBeLessThanOrEqual(underWay)
    await scene.close()
  })

  inLong('when PostgreSQL is killed under load', async () => {
    const dataDir = await temporaryFolder()
    const scene = new Scene()
    scene.cleanUps.push(() => rm(dataDir, { recursive: true, force: true }))
    await scene.open({ USHER_DATA_DIR: dataDir }, 1)
    const load = new Load(() => scene.servers)
    for (let round = 0; round < 2; round += 1) {
      await load.reach(200)
      const postmaster = await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8')
      process.kill(Number.parseInt(postmaster, 10), 'SIGKILL')
    }
    await load.reach(100)
    await load.stop()
    await scene.allArrive(load.acknowledged)
    // The server kept what it had sent, and settled it when PostgreSQL was back.
    expect(scene.duplicates()).toBeLessThanOrEqual(2 * 128)
    await scene.close()
  })

  inLong('when one of two nodes is killed under load', async () => {
    const database = await createTestDatabase()
    const scene = new Scene()
    scene.cleanUps.push(() => database.close())
    await scene.open({ DATABASE_URL: database.url }, 2)
    const [victim, survivor] = scene.servers as [ServerProcess, ServerProcess]
    const load = new Load(() => scene.servers)
    await load.reach(BEFORE)
    scene.servers = [survivor]
    await victim.end('SIGKILL')
    const underWay = await leased(database)
    await load.reach(100)
    await load.stop()
    await scene.allArrive(load.acknowledged)
    expect(scene.duplicates()).toBeLessThanOrEqual(underWay)
    await scene.close()
  })

  it('when one of two nodes is stopped under load and wakes up after its leases were taken over', async () => {
    const database = await createTestDatabase()
    const scene = new Scene()
    scene.cleanUps.push(() => database.close())
    await scene.open({ DATABASE_URL: database.url }, 2)
    const [sleeper, survivor] = scene.servers as [ServerProcess, ServerProcess]
    const load = new Load(() => scene.servers)
    await load.reach(BEFORE)
    scene.servers = [survivor]
    sleeper.child.kill('SIGSTOP')
    const underWay = await leased(database)
    await load.reach(100)
    load.pauseMs = LONG_PAUSE_MS
    const acknowledged = [...load.acknowledged]
    await scene.allArrive(acknowledged)
    load.pauseMs = PAUSE_MS
    sleeper.child.kill('SIGCONT')
    scene.servers = [sleeper, survivor]
    await load.reach(100)
    await load.stop()
    await scene.allArrive(load.acknowledged)
    await eventually('nothing is left', async () => {
      const rows = await database.database.query('select from webhook_deliveries', [])
      return rows.length === 0
    })
    expect(scene.duplicates()).toBeLessThanOrEqual(2 * underWay)
    await scene.close()
  })
})
