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

// `npm run test:long` kills it 20 times.
it(`loses and doubles nothing when the server is killed under mixed load (seed ${seed})`, async () => {
  await runCrashLoop({ dataDir, seed, kills: 1, loadMs: 0 })
})
