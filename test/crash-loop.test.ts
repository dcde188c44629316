import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Random } from './fuzz/random.ts'
import { temporaryFolder } from './support/folder.ts'
import { Ledger } from './support/ledger.ts'
import { startLoad } from './support/load.ts'
import { type ServerProcess, spawnServer } from './support/process.ts'

const KILLS = 20
const LOAD_MS = 120_000
const CALLERS = 16
const seed = Date.now() % 1_000_000

let dataDir: string
let server: ServerProcess

beforeEach(async () => {
  dataDir = await temporaryFolder()
})
afterEach(async () => {
  await server.end()
  await rm(dataDir, { recursive: true, force: true })
})

/** At a random moment of its life, and never before it has stored something. */
async function killSoon(ledger: Ledger, random: Random): Promise<void> {
  const before = ledger.acknowledged
  await expect.poll(() => ledger.acknowledged, { timeout: 20_000, interval: 5 }).toBeGreaterThan(before + 20)
  await sleep(random.next() * 3_000)
  await server.end('SIGKILL')
}

it(`loses and doubles nothing in two minutes of mixed load in which the server is killed at least ${KILLS} times (seed ${seed})`, async () => {
  const ledger = new Ledger()
  const random = new Random(seed)
  server = await spawnServer({ USHER_DATA_DIR: dataDir })
  const load = startLoad(() => server, ledger, CALLERS, seed)
  const end = performance.now() + LOAD_MS
  for (let kills = 0; kills < KILLS || performance.now() < end; kills += 1) {
    await killSoon(ledger, random)
    server = await spawnServer({ USHER_DATA_DIR: dataDir })
  }
  await load.stop()
  expect(await server.end()).toBe(0)
  expect(ledger.acknowledged).toBeGreaterThan(KILLS * 20)
  await ledger.auditFolder(dataDir)
}, 300_000)
