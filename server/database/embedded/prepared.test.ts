import { chmod, cp, mkdtemp, readdir, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest'
import { ensureCluster } from './cluster.ts'
import { type DataFolder, openDataFolder } from './data-folder.ts'
import { startEmbedded } from './index.ts'
import { prepare, unpack } from './prepared.ts'

const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() }

let prepared: string
let base: string

beforeAll(async () => {
  prepared = await mkdtemp(join(tmpdir(), 'usher-prepared-'))
  await prepare(prepared)
})

afterAll(async () => {
  await rm(prepared, { recursive: true, force: true })
})

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'usher test '))
  await chmod(base, 0o755)
})

afterEach(async () => {
  await rm(base, { recursive: true, force: true })
})

async function dataFolder(more: Partial<DataFolder>): Promise<DataFolder> {
  return { ...(await openDataFolder(join(base, 'data'), log)), ...more }
}

/** Whether the cluster accepts the password of the data folder, and no other. */
async function opens(): Promise<{ right: boolean; wrong: boolean }> {
  const database = await startEmbedded(join(base, 'data'), log)
  const enter = async (password: string) => {
    const client = new Client({ ...database.connection, password })
    return await client.connect().then(
      () => client.end().then(() => true),
      () => false,
    )
  }
  try {
    return { right: await enter(database.connection.password), wrong: await enter('wrong') }
  } finally {
    await database.stop()
  }
}

test('a prepared cluster becomes that of the data folder, with private modes and its own password', async () => {
  const here = await dataFolder({ prepared })
  expect(await unpack(here, join(here.home, 'seen'))).toBe(true)
  expect((await stat(join(here.home, 'seen'))).mode & 0o777).toBe(0o700)
  expect((await stat(join(here.home, 'seen/PG_VERSION'))).uid).toBe(here.account?.uid ?? process.getuid?.())
  await ensureCluster(here)
  expect(await opens()).toEqual({ right: true, wrong: false })
})

// That a new one is created then is shown by the damaged one in `npm test`: it takes 2 s of CPU time.
test('without a prepared cluster nothing is unpacked', async () => {
  const here = await dataFolder({ prepared: join(base, 'nothing') })
  expect(await unpack(here, join(here.home, 'seen'))).toBe(false)
})

test.runIf(inject('isLong'))('without a prepared cluster a new one is created with the same properties', async () => {
  await ensureCluster(await dataFolder({ prepared: join(base, 'nothing') }))
  expect(await opens()).toEqual({ right: true, wrong: false })
})

test('a prepared cluster that is damaged is not used, and a new one is created with the same properties', async () => {
  const damaged = join(base, 'damaged')
  await cp(prepared, damaged, { recursive: true })
  const [file] = await readdir(damaged)
  await truncate(join(damaged, file as string), 3_000_000)
  const here = await dataFolder({ prepared: damaged })
  expect(await unpack(here, join(here.home, 'seen'))).toBe(false)
  await ensureCluster(here)
  expect(await opens()).toEqual({ right: true, wrong: false })
  expect((await readdir(here.home)).filter((name) => name.startsWith('cluster'))).toEqual(['cluster'])
})
