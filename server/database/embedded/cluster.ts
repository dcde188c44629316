import { randomBytes } from 'node:crypto'
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../../startup-error.ts'
import type { DataFolder } from './data-folder.ts'
import { summarise } from './log-file.ts'
import { initialise, setPassword, syncCluster } from './new-cluster.ts'
import { unpack } from './prepared.ts'
import { syncFolder } from './record.ts'

/** Creates the cluster on the first start. Later it checks that this version can run it. */
export async function ensureCluster(dataFolder: DataFolder): Promise<void> {
  if (!(await exists(dataFolder.cluster))) await createCluster(dataFolder)
  const version = await readFile(join(dataFolder.cluster, 'PG_VERSION'), 'utf8').catch(() => 'unknown')
  if (version.trim() === String(dataFolder.binaries.major)) return
  throw new StartupError(
    `the data folder ${dataFolder.dataDir} holds a database of PostgreSQL ${version.trim()}, and this version of Usher has ` +
      `PostgreSQL ${dataFolder.binaries.major}: run the Usher that made it, or choose another folder with USHER_DATA_DIR`,
  )
}

/** Renamed when it is complete: after an interruption, or with two servers at once, there is one complete cluster or none. */
async function createCluster(dataFolder: DataFolder): Promise<void> {
  const unfinished = `${dataFolder.cluster}.${randomBytes(4).toString('hex')}`
  try {
    await make(dataFolder, unfinished)
    await rename(unfinished, dataFolder.cluster)
    await syncFolder(dataFolder.home)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (!(await exists(dataFolder.cluster))) throw error
  } finally {
    await removeUnfinished(dataFolder)
  }
}

async function make(dataFolder: DataFolder, folder: string): Promise<void> {
  try {
    if (!(await unpack(dataFolder, folder))) {
      await rm(folder, { recursive: true, force: true })
      await initialise(dataFolder, folder)
    }
    await setPassword(dataFolder, folder, dataFolder.record.password)
    await syncCluster(dataFolder, folder)
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string }
    const lines = (stderr || message).split('\n').filter((line) => /error|fatal|could not|cannot/i.test(line))
    throw new StartupError(
      `the database in ${dataFolder.dataDir} cannot be created: ${summarise(lines.length ? lines : [message])}`,
    )
  }
}

/** Another server that starts at the same time and loses its files here finds the finished cluster and uses it. */
async function removeUnfinished(dataFolder: DataFolder): Promise<void> {
  if (!(await exists(dataFolder.cluster))) return
  const names = (await readdir(dataFolder.home)).filter((name) => name.startsWith('cluster.'))
  await Promise.all(names.map((name) => rm(join(dataFolder.home, name), { recursive: true, force: true })))
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
