import { randomBytes } from 'node:crypto'
import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { nameNewFile, unfinishedName } from '../files/new-file.ts'
import { fileReason } from '../files/reason.ts'
import type { Config } from '../settings/config.ts'
import { StartupError } from '../startup-error.ts'
import { KEY_BYTES } from './secret-box.ts'

/** Where the key is when no setting has it. Only the user of the server can read it. */
export function keyFileOf({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'secret.key')
}

/** The key of the setting, or that of the data folder of the embedded database; undefined when there is none. */
export async function readKey(config: Config): Promise<Buffer | undefined> {
  if (config.secretKey !== undefined) return config.secretKey
  if (config.databaseUrl !== undefined) return undefined
  const file = keyFileOf(config)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new StartupError(`${file} cannot be read (${fileReason(error)}): change its owner or mode.`)
  })
  if (text === undefined) return undefined
  const key = Buffer.from(text.trim(), 'hex')
  if (key.length !== KEY_BYTES) throw new StartupError(`${file} is damaged: put it back from a copy.`)
  return key
}

/** Of two processes that create it at the same moment, both use the first. */
export async function createKey(config: Config): Promise<Buffer | undefined> {
  const file = keyFileOf(config)
  const unfinished = unfinishedName(file)
  try {
    const handle = await open(unfinished, 'wx', 0o600)
    await handle
      .writeFile(`${randomBytes(KEY_BYTES).toString('hex')}\n`)
      .then(() => handle.sync())
      .finally(() => handle.close())
    await nameNewFile(unfinished, file)
  } catch (error) {
    throw new StartupError(`${file} cannot be written: ${fileReason(error)}.`)
  } finally {
    await rm(unfinished, { force: true })
  }
  return await readKey(config)
}
