import { constants } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { readRecord } from '../database/embedded/record.ts'
import { fileReason } from '../files/reason.ts'
import { StartupError } from '../startup-error.ts'
import { byItself } from './by-itself.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const MEGABYTE = 1024 * 1024
/** PostgreSQL stops at a full disk; its log alone may take 2 GB (`max_wal_size`). */
const SCARCE_BYTES = 3 * 1024 * MEGABYTE
const TOO_LITTLE_BYTES = 200 * MEGABYTE

/** The folder of the embedded database, and the disk below it. */
export async function checkDataFolder(dataDir: string): Promise<{ findings: Finding[]; holdsDatabase: boolean }> {
  const state = await stat(dataDir).catch((error: NodeJS.ErrnoException) => error)
  if (state instanceof Error && state.code === 'ENOENT') {
    const parent = await existingParent(dataDir)
    const folder = await access(parent, constants.W_OK | constants.X_OK).then(
      () => ok('data folder', `${dataDir} is not there yet; npm start makes it`),
      (error) => unusable(`${dataDir} is not there and cannot be made`, error),
    )
    return { findings: [folder, ...(await checkDisk(parent))], holdsDatabase: false }
  }
  try {
    if (state instanceof Error) throw state
    await access(dataDir, constants.W_OK | constants.X_OK)
    const record = await readRecord(dataDir)
    const folder = ok('data folder', record ? dataDir : `${dataDir} is empty; npm start makes the database`)
    const disk = await checkDisk(record?.elsewhere ?? dataDir)
    return { findings: [folder, ...disk], holdsDatabase: record !== undefined }
  } catch (error) {
    return { findings: [unusable(`${dataDir} cannot be written`, error)], holdsDatabase: false }
  }
}

function unusable(what: string, error: unknown): Finding {
  const finding = error instanceof StartupError ? error.message : `${what}: ${fileReason(error)}`
  return problem('data folder', finding, 'Change its owner or mode, or set USHER_DATA_DIR to another folder.')
}

async function checkDisk(folder: string): Promise<readonly Finding[]> {
  return await byItself('disk', async () => {
    const { bavail, bsize } = await statfs(folder)
    return judgeDisk(folder, bavail * bsize)
  })
}

/** In the unit in which System of the dashboard shows the same disk. */
function sizeText(bytes: number): string {
  const [size, unit] = bytes < 1024 * MEGABYTE ? [bytes / MEGABYTE, 'MB'] : [bytes / (1024 * MEGABYTE), 'GB']
  return `${size.toLocaleString('en', { maximumFractionDigits: size < 10 ? 1 : 0 })} ${unit}`
}

export function judgeDisk(folder: string, freeBytes: number): Finding {
  const finding = `${sizeText(freeBytes)} free at ${folder}`
  const advice = 'Make room on this disk, or move the data folder to a larger one (stop the server first).'
  if (freeBytes < TOO_LITTLE_BYTES) return problem('disk', finding, advice)
  return freeBytes < SCARCE_BYTES ? warning('disk', finding, advice) : ok('disk', finding)
}

async function existingParent(path: string): Promise<string> {
  const parent = dirname(path)
  return (await stat(parent).catch(() => undefined)) ? parent : await existingParent(parent)
}
