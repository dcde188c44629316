import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../test/support/folder.ts'
import type { EnvironmentId } from '../database/database.ts'
import { listenSecret } from './listen-secret.ts'

const [first, second] = [1, 2] as [EnvironmentId, EnvironmentId]

it('is the same at every run, also of two at the same moment, another for each environment, and in a file that only its user reads', async () => {
  const base = await temporaryFolder()
  onTestFinished(() => rm(base, { recursive: true, force: true }))
  const folder = { dataDir: join(base, 'data') }
  const [secret, ...others] = await Promise.all([1, 2, 3].map(() => listenSecret(folder, first)))
  expect(secret).toMatch(/^whsec_/)
  expect(others).toEqual([secret, secret])
  expect(await listenSecret(folder, first)).toBe(secret)
  expect(await listenSecret(folder, second)).not.toBe(secret)
  expect((await stat(join(folder.dataDir, 'listen-1.secret'))).mode & 0o777).toBe(0o600)
})

it('where no file can be written there is one for each run', async () => {
  const nowhere = { dataDir: '/dev/null/none' }
  expect(await listenSecret(nowhere, first)).not.toBe(await listenSecret(nowhere, first))
})
