import { execFile } from 'node:child_process'
import { mkdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isBuilt } from '../../dashboard/is-built.ts'
import { isScriptBuilt } from '../../sdk/is-built.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const GIVE_UP_MS = 120_000

/** Builds the dashboard when what it is built from is newer. Test files that run side by side build it once. */
export async function buildDashboard(): Promise<void> {
  await buildOnce('dashboard', isBuilt)
}

/** The same for the browser script. */
export async function buildScript(): Promise<void> {
  await buildOnce('sdk', isScriptBuilt)
}

async function buildOnce(folder: string, isBuilt: () => Promise<boolean>): Promise<void> {
  const begun = Date.now()
  const lock = join(ROOT, `node_modules/.cache/usher-${folder}-build`)
  while (!(await isBuilt())) {
    if (Date.now() - begun > GIVE_UP_MS)
      throw new Error(`${folder}/dist was not built. If nothing builds it, remove ${lock}.`)
    if (!(await take(lock))) await wait(250)
    else await build(folder).finally(() => rmdir(lock))
  }
}

async function build(folder: string): Promise<void> {
  await promisify(execFile)(process.execPath, [join(ROOT, folder, 'build.ts')], { cwd: ROOT })
}

async function take(lock: string): Promise<boolean> {
  await mkdir(join(lock, '..'), { recursive: true })
  return await mkdir(lock).then(
    () => true,
    () => false,
  )
}
