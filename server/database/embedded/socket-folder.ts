import { randomBytes } from 'node:crypto'
import { chown, lstat, mkdir, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartupError } from '../../startup-error.ts'
import { canUse } from './account.ts'
import type { DataFolder } from './data-folder.ts'
import { replaceRecord } from './record.ts'

/** `sun_path` has 108 bytes on Linux and 104 on macOS; the name of the socket, `/.s.PGSQL.5432`, takes 14. */
const MAX_BYTES = 85

/**
 * The same folder at every start, so that connections find PostgreSQL after a restart. When it was deleted, or belongs to
 * another user by now, a new one is created.
 */
export async function ensureSocketFolder(dataFolder: DataFolder): Promise<string> {
  const { record } = dataFolder
  if (record.socketFolder && (await makeOwn(dataFolder, record.socketFolder))) return record.socketFolder
  for (const parent of [tmpdir(), '/tmp']) {
    const folder = join(parent, `usher-${randomBytes(6).toString('hex')}`)
    if (Buffer.byteLength(folder) > MAX_BYTES || !(await canUse(dataFolder.account, parent, '-x'))) continue
    if (!(await makeOwn(dataFolder, folder))) continue
    record.socketFolder = folder
    await replaceRecord(dataFolder.dataDir, record)
    return folder
  }
  throw new StartupError('no folder for the socket of PostgreSQL can be made in /tmp: make it writable')
}

/** Removes it when it is empty. */
export async function removeSocketFolder({ record }: DataFolder): Promise<void> {
  if (record.socketFolder) await rmdir(record.socketFolder).catch(() => undefined)
}

async function makeOwn({ account }: DataFolder, folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 })
    if (account) await chown(folder, account.uid, account.gid)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false
    const found = await lstat(folder)
    return found.isDirectory() && found.uid === (account?.uid ?? process.getuid?.()) && (found.mode & 0o077) === 0
  }
}
