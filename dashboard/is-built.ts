import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const BUILT = 'dashboard/dist/index.html'
/** What the build reads. npm writes the second lock file whenever it installs packages. */
const SOURCES = ['dashboard', 'contract', 'package-lock.json', 'node_modules/.package-lock.json']
/** Written by the build itself. */
const WRITTEN = ['dist', 'route-tree.gen.ts']

/** Whether dashboard/dist was built from the current sources and packages. */
export async function isBuilt(root = ROOT): Promise<boolean> {
  const built = await timeOf(join(root, BUILT))
  if (built === 0) return false
  const times = await Promise.all(SOURCES.map((name) => newest(join(root, name))))
  return Math.max(...times) <= built
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
