import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { eventually } from './support/deliveries.ts'
import { temporaryFolder } from './support/folder.ts'
import { Ledger } from './support/ledger.ts'
import { startLoad } from './support/load.ts'
import { call, type ServerProcess, spawnServer } from './support/process.ts'

/** A separate disk that the test can fill. Only root can create one, and not on every machine. */
const disk = process.platform === 'linux' && process.getuid?.() === 0 ? await mountDisk() : undefined
let server: ServerProcess | undefined

async function mountDisk(): Promise<string | undefined> {
  const folder = join(await temporaryFolder(), 'disk')
  await mkdir(folder)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m,mode=755', 'tmpfs', folder], { stdio: 'ignore' })
    return folder
  } catch {
    await rm(join(folder, '..'), { recursive: true })
    return undefined
  }
}

afterEach(async () => {
  await server?.end()
  if (disk === undefined) return
  // A process that is ending holds the files that it has open for a moment.
  await eventually('nothing uses the disk', () => spawnSync('umount', [disk]).status === 0)
  await rm(join(disk, '..'), { recursive: true, force: true })
})

function fill(file: string): void {
  const handle = openSync(file, 'w')
  const block = Buffer.alloc(64 * 1024)
  try {
    for (;;) writeSync(handle, block)
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC')
  } finally {
    closeSync(handle)
  }
}

it.runIf(disk !== undefined)(
  'a full disk is answered with 503, and with room again everything goes on, with all that was acknowledged (needs root and mount)',
  async () => {
    const dataDir = join(disk as string, 'data')
    const ledger = new Ledger()
    server = await spawnServer({ USHER_DATA_DIR: dataDir })
    const running = server
    const load = startLoad(() => running, ledger, 8, 1)
    await expect.poll(() => ledger.acknowledged).toBeGreaterThan(50)
    // Small writes still fit into the current segment of the log; large ones need a new one.
    const fillers = join(disk as string, 'fillers')
    await mkdir(fillers)
    // Nothing that could be compressed: about thirty of these are more than a segment.
    const noise = () => randomBytes(4_000).toString('hex')
    const attributes = () => Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`a${index}`, noise()]))
    const large = (count: number) => {
      const groups = ['g', 'h'].map((id) => ({ id, attributes: attributes() }))
      return call(running, 'POST', '/users', { id: `large-${count}`, attributes: attributes(), groups })
    }
    for (let count = 0; ledger.statuses[503] === undefined; count += 1) {
      expect(count).toBeLessThan(200)
      // Filled again each time: PostgreSQL frees space, a whole segment of its log after a checkpoint.
      fill(join(fillers, String(count)))
      const { status } = await large(count)
      expect([200, 503]).toContain(status)
      // It may be refused before it is queued, while the requests of the load wait for the database.
      if (status === 503) await sleep(100)
    }
    expect(await call(running, 'GET', '/healthz')).toMatchObject({ status: 200 })

    rmSync(fillers, { recursive: true })
    const before = ledger.acknowledged
    await expect.poll(() => ledger.acknowledged).toBeGreaterThan(before + 50)
    await load.stop()
    expect(await running.end()).toBe(0)
    await ledger.auditFolder(dataDir)
  },
)
