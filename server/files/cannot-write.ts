import { StartupError } from '../startup-error.ts'
import { fileReason } from './reason.ts'

/** The failures of a write, which do not name the file. */
const OF_WRITES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO'])

/** Errors of the file system are reported to the operator, with the name of the file. Other errors are not about the file. */
export function cannotWrite(file: string, error: unknown): unknown {
  const { code, path } = error as NodeJS.ErrnoException
  const isAboutFile = path !== undefined || OF_WRITES.has(code ?? '')
  return isAboutFile ? new StartupError(`${file} cannot be written: ${fileReason(error)}.`) : error
}
