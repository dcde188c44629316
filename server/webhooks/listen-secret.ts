import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newSecret } from '../../contract/signature.ts'
import type { EnvironmentId } from '../database/database.ts'
import { nameNewFile, unfinishedName } from '../files/new-file.ts'
import type { Config } from '../settings/config.ts'

/**
 * The secret that `usher listen` signs with. It is kept in the data folder, so that a receiver is configured once. Where no
 * file can be written, each run has one of its own.
 */
export async function listenSecret(
  { dataDir }: Pick<Config, 'dataDir'>,
  environmentId: EnvironmentId,
): Promise<string> {
  const file = join(dataDir, `listen-${environmentId}.secret`)
  return (await readSecret(file)) ?? (await keepSecret(dataDir, file).catch(newSecret))
}

async function readSecret(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return /^(whsec_[\w-]{16,})\n$/.exec(text)?.[1]
}

/** Of two commands that start at the same moment, both use the first. */
async function keepSecret(dataDir: string, file: string): Promise<string> {
  const secret = newSecret()
  const unfinished = unfinishedName(file)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  try {
    await writeFile(unfinished, `${secret}\n`, { mode: 0o600, flag: 'wx' })
    const isFirst = await nameNewFile(unfinished, file)
    return isFirst ? secret : ((await readSecret(file)) ?? secret)
  } finally {
    await rm(unfinished, { force: true })
  }
}
