import { rm } from 'node:fs/promises'
import { afterEach, beforeEach, it } from 'vitest'
import { runCrashLoop } from './support/crash-loop.ts'
import { temporaryFolder } from './support/folder.ts'

const seed = Date.now() % 1_000_000

let dataDir: string

beforeEach(async () => {
  dataDir = await temporaryFolder()
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

it(`loses and doubles nothing in ten seconds of mixed load in which the server is killed at least 3 times (seed ${seed})`, async () => {
  await runCrashLoop({ dataDir, seed, kills: 3, loadMs: 10_000 })
})
