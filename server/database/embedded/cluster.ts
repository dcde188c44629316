import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { lchown, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StartupError } from '../../startup-error.ts'
import { USER } from './connection.ts'
import { summarise } from './log-file.ts'
import type { Place } from './place.ts'
import { syncFolder } from './record.ts'

/** PostgreSQL's programs get nothing of our environment: a PGPORT or an LC_ALL there must not change the database. */
export const ENVIRONMENT = { LC_ALL: 'C', PATH: '/usr/bin:/bin' }

/** Makes the cluster on the first start; afterwards makes sure that it is one that we can run. */
export async function ensureCluster(place: Place): Promise<void> {
  if (!(await exists(place.cluster))) await createCluster(place)
  const version = await readFile(join(place.cluster, 'PG_VERSION'), 'utf8').catch(() => 'unknown')
  if (version.trim() === String(place.binaries.major)) return
  throw new StartupError(
    `the data folder ${place.dataDir} holds a database of PostgreSQL ${version.trim()}, and this Usher brings ` +
      `PostgreSQL ${place.binaries.major}: run the Usher that made it, or choose another folder with USHER_DATA_DIR`,
  )
}

/** Renamed into place when complete: after an interruption, or beside another server's try, there is one or none. */
async function createCluster(place: Place): Promise<void> {
  const unfinished = `${place.cluster}.${randomBytes(4).toString('hex')}`
  try {
    await initialise(place, unfinished)
    await rename(unfinished, place.cluster)
    await syncFolder(place.home)
  } catch (error) {
    if (!(await exists(place.cluster))) throw error
  } finally {
    await removeUnfinished(place)
  }
}

/** C.UTF-8 of the builtin provider sorts by code point, knows Unicode's cases, and never changes with the system. */
async function initialise(place: Place, folder: string): Promise<void> {
  const passwordFile = `${folder}.password`
  await writeFile(passwordFile, place.record.password, { mode: 0o600, flag: 'wx' })
  if (place.account) await lchown(passwordFile, place.account.uid, place.account.gid)
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const access = ['--username', USER, '--auth=scram-sha-256', '--pwfile', passwordFile]
  const options = ['--pgdata', folder, '--data-checksums', '--no-instructions', ...locale, ...access]
  try {
    await promisify(execFile)(place.binaries.initdb, options, { ...place.account, cwd: '/', env: ENVIRONMENT })
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string }
    const lines = (stderr || message).split('\n').filter((line) => /error|fatal|could not|cannot/i.test(line))
    throw new StartupError(
      `the database in ${place.dataDir} cannot be created: ${summarise(lines.length ? lines : [message])}`,
    )
  } finally {
    await rm(passwordFile, { force: true })
  }
}

/** The other server of a race, if its files go here, notices that the cluster is there and uses it. */
async function removeUnfinished(place: Place): Promise<void> {
  if (!(await exists(place.cluster))) return
  const names = (await readdir(place.home)).filter((name) => name.startsWith('cluster.'))
  await Promise.all(names.map((name) => rm(join(place.home, name), { recursive: true, force: true })))
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
