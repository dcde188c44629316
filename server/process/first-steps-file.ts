import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../settings/config.ts'

/**
 * Keeps what only the operator may see out of a log that is collected: in a file beside the data that only the user of the
 * server can read. Returns its path, or undefined where no file can be written. Then there is no other place than the output.
 */
export function keepFirstSteps({ dataDir }: Pick<Config, 'dataDir'>, fields: object): string | undefined {
  const file = join(dataDir, 'first-steps.json')
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const text = JSON.stringify({ ...readFirstSteps(file), ...fields }, null, 2)
    writeFileSync(file, `${text}\n`, { mode: 0o600, flush: true })
    return file
  } catch {
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
