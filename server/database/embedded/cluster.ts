import { randomBytes } from 'node:crypto'
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../../startup-error.ts'
import { summarise } from './log-file.ts'
import { initialise, setPassword, syncCluster } from './new-cluster.ts'
import type { Place } from './place.ts'
import { unpack } from './prepared.ts'
import { syncFolder } from './record.ts'

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
    await make(place, unfinished)
    await rename(unfinished, place.cluster)
    await syncFolder(place.home)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (!(await exists(place.cluster))) throw error
  } finally {
    await removeUnfinished(place)
  }
}

async function make(place: Place, folder: string): Promise<void> {
  try {
    if (!(await unpack(place, folder))) {
      await rm(folder, { recursive: true, force: true })
      await initialise(place, folder)
    }
    await setPassword(place, folder, place.record.password)
    await syncCluster(place, folder)
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string }
    const lines = (stderr || message).split('\n').filter((line) => /error|fatal|could not|cannot/i.test(line))
    throw new StartupError(
      `the database in ${place.dataDir} cannot be created: ${summarise(lines.length ? lines : [message])}`,
    )
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
