import { isUnreachable, sqlState } from '../database/errors.ts'
import { ApiError } from '../errors.ts'
import { StartupError } from '../startup-error.ts'
import { UsageError } from './command.ts'
import { INTERRUPTED, Interrupted, interruption } from './interruption.ts'
import { outputFailure } from './output.ts'

/**
 * Why a command failed. `usage`: the command line is wrong, and nothing was done. `failed`: what the message says has to be
 * put right first. `interrupted`: by a signal. `unexpected`: a defect, or a machine in trouble; `stack` says where.
 */
export interface Failure {
  code: 'usage' | 'failed' | 'interrupted' | 'unexpected'
  message: string
  exitCode: number
  stack?: string | undefined
}

export function failureOf(error: unknown): Failure {
  if (interruption.signal.aborted) {
    const message = error instanceof Interrupted ? error.message : 'Interrupted: nothing was left behind.'
    return { code: 'interrupted', message, exitCode: INTERRUPTED }
  }
  if (error instanceof UsageError) return { code: 'usage', message: error.message, exitCode: 2 }
  if (outputFailure()) return failed(`Standard output cannot be written (${outputFailure()}).`)
  if (error instanceof StartupError) return { ...failed(error.message), exitCode: error.exitCode }
  if (error instanceof ApiError) return failed(error.message)
  if (sqlState(error) !== undefined || isUnreachable(error))
    return failed(`The database failed: ${(error as Error).message}`)
  if (!(error instanceof Error)) return { code: 'unexpected', message: String(error), exitCode: 1 }
  return { code: 'unexpected', message: error.message, exitCode: 1, stack: error.stack }
}

function failed(message: string): Failure {
  return { code: 'failed', message, exitCode: 1 }
}
