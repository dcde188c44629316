import { rmSync } from 'node:fs'
import { chmod, mkdtemp, readFile, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

/** Where Linux has a file system in memory. */
const MEMORY = '/dev/shm'
/** A run needs less than 1 GB at a time. */
const LEAST_FREE_BYTES = 4 * 1024 ** 3

/**
 * Temporary folders in memory, where there is enough of it. No test cuts the power, so none needs a disk; a database is
 * cloned and a cluster is made in half the CPU time. The long tests have volumes that need a disk.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (process.env.TMPDIR !== undefined || project.getProvidedContext().isLong || !(await isFit())) return async () => {}
  const folder = await mkdtemp(join(MEMORY, 'usher-tests-'))
  // The user of PostgreSQL enters it too.
  await chmod(folder, 0o755)
  process.env.TMPDIR = folder
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  // After Ctrl-C nothing else is called. A PostgreSQL that is left ends by itself without its folder.
  process.once('exit', remove)
  return async () => {
    delete process.env.TMPDIR
    process.off('exit', remove)
    remove()
  }
}

async function isFit(): Promise<boolean> {
  try {
    const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').map((line) => line.split(' '))
    const [, , type, options] = mounts.findLast(([, place]) => place === MEMORY) ?? []
    const { bavail, bsize } = await statfs(MEMORY)
    const free = Math.min(bavail * bsize, process.availableMemory() / 2)
    // Some tests run programs there.
    return type === 'tmpfs' && !options?.split(',').includes('noexec') && free >= LEAST_FREE_BYTES
  } catch {
    return false
  }
}
