import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { temporaryFolder } from '../test/support/folder.ts'
import { isBuilt } from './is-built.ts'

let root: string
beforeEach(async () => {
  root = await temporaryFolder()
  for (const name of ['dashboard/main.tsx', 'contract/plans.ts', 'package-lock.json']) await write(name, 1)
})
afterEach(async () => await rm(root, { recursive: true }))

async function write(name: string, time: number): Promise<void> {
  const path = join(root, name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, '')
  await utimes(path, time, time)
}

it('nothing is built before the first build', async () => {
  expect(await isBuilt(root)).toBe(false)
})

it('what is built is current while nothing that it was built from is newer', async () => {
  await write('dashboard/dist/index.html', 2)
  await write('dashboard/route-tree.gen.ts', 3)
  expect(await isBuilt(root)).toBe(true)
})

it.each([
  'dashboard/live/feed.tsx',
  'contract/dashboard/paths.ts',
  'package-lock.json',
  'node_modules/.package-lock.json',
])('a newer %s needs a build', async (name) => {
  await write('dashboard/dist/index.html', 2)
  await write(name, 3)
  expect(await isBuilt(root)).toBe(false)
})
