import { execFile } from 'node:child_process'
import { mkdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isBuilt } from '../../dashboard/is-built.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const LOCK = join(ROOT, 'node_modules/.cache/usher-dashboard-build')
const GIVE_UP_MS = 120_000

/** Builds the dashboard when what it is built from is newer. Test files that run side by side build it once. */
export async function buildDashboard(): Promise<void> {
  const begun = Date.now()
  while (!(await isBuilt())) {
    if (Date.now() - begun > GIVE_UP_MS)
      throw new Error(`The dashboard was not built. If nothing builds it, remove ${LOCK}.`)
    if (!(await lock())) await wait(250)
    else await build().finally(() => rmdir(LOCK))
  }
}

async function build(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(ROOT, 'dashboard/build.ts')], { cwd: ROOT })
}

async function lock(): Promise<boolean> {
  await mkdir(join(LOCK, '..'), { recursive: true })
  return await mkdir(LOCK).then(
    () => true,
    () => false,
  )
}
