import type { Log } from '../log.ts'
import { isUnreachable } from './errors.ts'

/**
 * Logs a failure of background work that is tried again. While the database is unreachable, every round of every work fails, and
 * requests are logged as failed too: that is logged at debug. Any other failure may last until somebody acts.
 */
export function logFailure(log: Log, error: unknown, details: object, message: string): void {
  const line = { err: error, ...details }
  if (isUnreachable(error)) log.debug(line, message)
  else log.warn(line, message)
}
