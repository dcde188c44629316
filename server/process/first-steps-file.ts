import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unfinishedName } from '../files/new-file.ts'
import type { Config } from '../settings/config.ts'

/**
 * Keeps what only the operator may see out of a log that is collected: in a file beside the data that only the user of the
 * server can read. Returns its path, or undefined where no file can be written. Then there is no other place than the output.
 * The file is replaced as a whole: a full disk or a crash leaves the one before, which has the key that is shown only once.
 */
export function keepFirstSteps({ dataDir }: Pick<Config, 'dataDir'>, fields: object): string | undefined {
  const file = join(dataDir, 'first-steps.json')
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    replaceFile(file, `${JSON.stringify({ ...readFirstSteps(file), ...fields }, null, 2)}\n`)
    return file
  } catch {
    return undefined
  }
}

function replaceFile(file: string, text: string): void {
  const unfinished = unfinishedName(file)
  try {
    writeFileSync(unfinished, text, { mode: 0o600, flush: true, flag: 'wx' })
    renameSync(unfinished, file)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}

function readFirstSteps(file: string): object {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as object
  } catch {
    return {}
  }
}
