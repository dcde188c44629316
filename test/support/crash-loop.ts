import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { Random } from '../fuzz/random.ts'
import { Ledger } from './ledger.ts'
import { startLoad } from './load.ts'
import { type ServerProcess, spawnServer } from './process.ts'

const CALLERS = 16

export interface CrashLoop {
  dataDir: string
  seed: number
  /** At least this many, and for at least this long. */
  kills: number
  loadMs: number
}

/** Mixed load on a server that is killed and started again and again; in the end what is stored is held against the answers. */
export async function runCrashLoop({ dataDir, seed, kills, loadMs }: CrashLoop): Promise<void> {
  const ledger = new Ledger()
  const random = new Random(seed)
  let server = await spawnServer({ USHER_DATA_DIR: dataDir })
  try {
    const load = startLoad(() => server, ledger, CALLERS, seed)
    const end = performance.now() + loadMs
    for (let killed = 0; killed < kills || performance.now() < end; killed += 1) {
      await killSoon(server, ledger, random)
      server = await spawnServer({ USHER_DATA_DIR: dataDir })
    }
    await load.stop()
    expect(await server.end()).toBe(0)
    expect(ledger.acknowledged).toBeGreaterThan(kills * 20)
    await ledger.auditFolder(dataDir)
  } finally {
    await server.end()
  }
}

/** At a random moment of its life, and never before it has stored something. */
async function killSoon(server: ServerProcess, ledger: Ledger, random: Random): Promise<void> {
  const before = ledger.acknowledged
  await expect.poll(() => ledger.acknowledged, { interval: 5 }).toBeGreaterThan(before + 20)
  await sleep(random.next() * 3_000)
  await server.end('SIGKILL')
}
