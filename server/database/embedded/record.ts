import { randomBytes } from 'node:crypto'
import { link, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileReason } from '../../files/reason.ts'
import { StartupError } from '../../startup-error.ts'

/** What is stored about the PostgreSQL of a data folder, in a file that only its owner can read. */
export interface FolderRecord {
  /** Where the cluster is when PostgreSQL cannot enter the data folder. Null when it is inside; then the folder may be moved. */
  elsewhere: string | null
  /** Short, because the path of a Unix socket has at most 107 bytes. Created again when it was deleted. */
  socketFolder: string | null
  password: string
}

const fileIn = (dataDir: string) => join(dataDir, 'postgres.json')

export async function readRecord(dataDir: string): Promise<FolderRecord | undefined> {
  const file = fileIn(dataDir)
  try {
    const text = await readFile(file, 'utf8')
    const { uid } = await stat(file)
    if (uid !== process.getuid?.()) throw ofAnotherUser(dataDir, uid)
    return JSON.parse(text) as FolderRecord
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    if (code === 'EACCES') throw ofAnotherUser(dataDir, (await stat(file).catch(() => undefined))?.uid)
    if (error instanceof SyntaxError) throw new StartupError(`${file} is damaged: restore it from a backup`)
    throw error
  }
}

/** Of two servers that start at the same moment on a new folder, both get the record of the first. */
export async function createRecord(dataDir: string, elsewhere: string | null): Promise<FolderRecord> {
  const record = { elsewhere, socketFolder: null, password: randomBytes(24).toString('base64url') }
  const written = await write(dataDir, record)
  try {
    await link(written, fileIn(dataDir))
    await syncFolder(dataDir)
    return record
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw cannotWrite(dataDir, error)
    return (await readRecord(dataDir)) ?? record
  } finally {
    await rm(written, { force: true })
  }
}

export async function replaceRecord(dataDir: string, record: FolderRecord): Promise<void> {
  await rename(await write(dataDir, record), fileIn(dataDir))
  await syncFolder(dataDir)
}

/** A rename is durable only when its folder is synced. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

async function write(dataDir: string, record: FolderRecord): Promise<string> {
  const file = `${fileIn(dataDir)}.${randomBytes(4).toString('hex')}`
  try {
    const handle = await open(file, 'wx', 0o600)
    await handle
      .writeFile(JSON.stringify(record, null, 2))
      .then(() => handle.sync())
      .finally(() => handle.close())
    return file
  } catch (error) {
    throw cannotWrite(dataDir, error)
  }
}

function ofAnotherUser(dataDir: string, uid: number | undefined): StartupError {
  return new StartupError(
    `the data folder ${dataDir} was made by another user (uid ${uid ?? 'unknown'}): ` +
      'start Usher as that user, or choose another folder with USHER_DATA_DIR',
  )
}

export function cannotWrite(folder: string, error: unknown): StartupError {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'ENOSPC') return new StartupError(`the disk of the data folder ${folder} is full: make room`)
  return new StartupError(
    `the data folder ${folder} cannot be written (${fileReason(error)}): change its owner or mode, or set USHER_DATA_DIR`,
  )
}
