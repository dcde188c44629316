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
  const unfinished = unfinishedName(file)
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const text = JSON.stringify({ ...readFirstSteps(file), ...fields }, null, 2)
    writeFileSync(unfinished, `${text}\n`, { mode: 0o600, flush: true, flag: 'wx' })
    renameSync(unfinished, file)
    return file
  } catch {
    rmSync(unfinished, { force: true })
    return undefined
  }
}

function readFirstSteps(file: string): object {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as object
  } catch {
    return {}
  }
}
