import { randomBytes } from 'node:crypto'
import { chmod, lchown, mkdir, realpath, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Log } from '../../log.ts'
import { type Account, canUse, chooseAccount } from './account.ts'
import { findBinaries, SYSTEM_FOLDER } from './binaries.ts'
import { PREPARED } from './prepared.ts'
import type { Programs } from './programs.ts'
import { cannotWrite, createRecord, type FolderRecord, readRecord } from './record.ts'

/** The paths and the user of one data folder, for starting and stopping its PostgreSQL. */
export interface DataFolder extends Programs {
  dataDir: string
  /** Contains the cluster and belongs to `account`. As root we write nothing here, since any file could be a symbolic link. */
  home: string
  cluster: string
  logFile: string
  record: FolderRecord
  /** The prepared cluster of the installation, if there is one. */
  prepared: string
}

export async function openDataFolder(dataDir: string, log: Log): Promise<DataFolder> {
  const folder = await makeDataFolder(dataDir)
  let record = await readRecord(folder)
  const account = (record && (await ownerOf(homeOf(folder, record)))) ?? (await chooseAccount(log))
  record ??= await createRecord(folder, await chooseElsewhere(folder, account, log))
  const home = homeOf(folder, record)
  if (record.elsewhere) await makeElsewhere(record.elsewhere, folder)
  await makeHome(home, account)
  const paths = { dataDir: folder, home, cluster: join(home, 'cluster'), logFile: join(folder, 'postgres.log') }
  return { ...paths, record, prepared: PREPARED, account, binaries: await findBinaries(account) }
}

/** The database that a server has made there, or undefined. Nothing is changed. */
export async function findCluster(dataDir: string): Promise<Pick<DataFolder, 'cluster' | 'record'> | undefined> {
  const folder = await realpath(dataDir).catch(() => dataDir)
  const record = await readRecord(folder)
  if (!record) return undefined
  const cluster = join(homeOf(folder, record), 'cluster')
  return (await stat(cluster).catch(() => undefined)) && { cluster, record }
}

export async function holdsDatabase(dataDir: string): Promise<boolean> {
  return (await findCluster(dataDir)) !== undefined
}

function homeOf(dataDir: string, record: FolderRecord): string {
  return record.elsewhere ?? join(dataDir, 'postgres')
}

/** The user of PostgreSQL may enter the data folder of root, but not list it or read its files. */
async function makeDataFolder(dataDir: string): Promise<string> {
  try {
    await mkdir(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
    return await realpath(dataDir)
  } catch (error) {
    throw cannotWrite(dataDir, error)
  }
}

/** As root, the owner of an existing home keeps running it, whichever user would be chosen now. */
async function ownerOf(home: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const found = await stat(home).catch(() => undefined)
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : undefined
}

/** A random name: a data folder that was removed and created again must not get its old cluster. */
async function chooseElsewhere(dataDir: string, account: Account | undefined, log: Log): Promise<string | null> {
  if (await canUse(account, dataDir, '-x')) return null
  const elsewhere = join(SYSTEM_FOLDER, `data-${randomBytes(6).toString('hex')}`, 'postgres')
  log.info(
    { dataDir, elsewhere },
    'the user of PostgreSQL cannot enter the data folder; the database is kept elsewhere',
  )
  return elsewhere
}

/** With a file that names its data folder. */
async function makeElsewhere(elsewhere: string, dataDir: string): Promise<void> {
  try {
    await mkdir(dirname(elsewhere), { recursive: true })
    await Promise.all([SYSTEM_FOLDER, dirname(elsewhere)].map((folder) => chmod(folder, 0o755)))
    await writeFile(join(dirname(elsewhere), 'belongs-to'), `${dataDir}\n`)
  } catch (error) {
    throw cannotWrite(elsewhere, error)
  }
}

async function makeHome(home: string, account: Account | undefined): Promise<void> {
  try {
    await mkdir(home, { recursive: true, mode: 0o700 })
    if (account) await lchown(home, account.uid, account.gid)
  } catch (error) {
    throw cannotWrite(home, error)
  }
}
