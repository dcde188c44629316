import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
/** Written by the builds themselves. */
const WRITTEN = ['dist', 'route-tree.gen.ts']

export interface Build {
  /** The file that is written last. */
  built: string
  /** What the build reads. npm writes the second lock file whenever it installs packages. */
  sources: readonly string[]
}

const dashboard: Build = {
  built: 'dashboard/dist/index.html',
  sources: ['dashboard', 'contract', 'package-lock.json', 'node_modules/.package-lock.json'],
}

/** Whether a build, that of the dashboard unless given, was made from the current sources and packages. */
export async function isBuilt(root = ROOT, { built, sources } = dashboard): Promise<boolean> {
  const time = await timeOf(join(root, built))
  if (time === 0) return false
  const times = await Promise.all(sources.map((name) => newest(join(root, name))))
  return Math.max(...times) <= time
}

async function newest(path: string): Promise<number> {
  const names = await readdir(path).catch(() => undefined)
  if (!names) return await timeOf(path)
  const kept = names.filter((name) => !WRITTEN.includes(name))
  return Math.max(0, ...(await Promise.all(kept.map((name) => newest(join(path, name))))))
}

/** Of the last change, or 0 when there is no such file. */
async function timeOf(path: string): Promise<number> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }))
  return mtimeMs
}
