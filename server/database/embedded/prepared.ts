import { type StdioOptions, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { existingAccount } from './account.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { initialise } from './new-cluster.ts'
import { ENVIRONMENT, type Programs } from './programs.ts'

/** Beside the packages. */
export const PREPARED = fileURLToPath(new URL('../../../node_modules/.cache/usher-cluster', import.meta.url))

/** Creates a cluster and packs it. The first start unpacks it instead of running initdb. */
export async function prepare(folder = PREPARED): Promise<void> {
  const account = await existingAccount()
  const scratch = await mkdtemp(join(tmpdir(), 'usher-prepare-'))
  try {
    await chmod(scratch, 0o711)
    const programs = { account, binaries: await findBinaries(account, scratch) }
    const home = join(scratch, 'home')
    await mkdir(home, { mode: 0o700 })
    if (account) await chown(home, account.uid, account.gid)
    await initialise(programs, join(home, 'cluster'))
    await pack(join(home, 'cluster'), fileIn(folder, programs.binaries))
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** False when there is nothing to unpack, or unpacking fails. The caller removes what is left in the folder. */
export async function unpack(
  { account, binaries, prepared }: Programs & { prepared: string },
  target: string,
): Promise<boolean> {
  const file = await open(fileIn(prepared, binaries)).catch(() => undefined)
  if (!file) return false
  try {
    // As the user of PostgreSQL: as root we write nothing in a folder of that user, since any file could be a symbolic link.
    const command = ['-c', 'umask 077 && mkdir "$1" && exec tar -x -f - -C "$1"', 'sh', target]
    const stdio: StdioOptions = [file.fd, 'ignore', 'ignore']
    return await succeeds(spawn('/bin/sh', command, { ...account, cwd: '/', env: ENVIRONMENT, stdio }))
  } finally {
    await file.close()
  }
}

/** Renamed into place when complete. */
async function pack(cluster: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  const unfinished = `${target}.${randomBytes(4).toString('hex')}`
  try {
    if (!(await succeeds(spawn('tar', ['-c', '-f', unfinished, '-C', cluster, '.'], { stdio: 'ignore' }))))
      throw new Error('tar failed')
    await rename(unfinished, target)
  } finally {
    await rm(unfinished, { force: true })
  }
}

const fileIn = (folder: string, { version }: Binaries) => join(folder, `postgresql-${version}-${process.arch}.tar`)

async function succeeds(child: ReturnType<typeof spawn>): Promise<boolean> {
  const [code] = await once(child, 'exit').catch(() => [1])
  return code === 0
}
