import { execFile } from 'node:child_process'
import { mkdir, readdir, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SOURCES = join(ROOT, 'dashboard')
const BUILT = join(SOURCES, 'dist/index.html')
const LOCK = join(ROOT, 'node_modules/.cache/usher-dashboard-build')
const GIVE_UP_MS = 120_000

/** Builds the dashboard when its sources are newer than what is built. Test files that run side by side build it once. */
export async function buildDashboard(): Promise<void> {
  const begun = Date.now()
  while (await isStale()) {
    if (Date.now() - begun > GIVE_UP_MS)
      throw new Error(`The dashboard was not built. If nothing builds it, remove ${LOCK}.`)
    if (!(await lock())) await wait(250)
    else await build().finally(() => rmdir(LOCK))
  }
}

async function build(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(SOURCES, 'build.ts')], { cwd: ROOT })
}

async function lock(): Promise<boolean> {
  await mkdir(join(LOCK, '..'), { recursive: true })
  return await mkdir(LOCK).then(
    () => true,
    () => false,
  )
}

async function isStale(): Promise<boolean> {
  const built = await stat(BUILT).catch(() => undefined)
  return built === undefined || (await newest(SOURCES)) > built.mtimeMs
}

async function newest(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true })
  // The route tree is written by the build itself.
  const kept = entries.filter(({ name }) => name !== 'dist' && name !== 'route-tree.gen.ts')
  const times = kept.map(async (entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? await newest(path) : (await stat(path)).mtimeMs
  })
  return Math.max(0, ...(await Promise.all(times)))
}
