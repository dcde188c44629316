import { StartupError } from '../../startup-error.ts'
import type { CommandResult } from '../command.ts'
import { failureOf } from '../failure.ts'

/** The files cannot be used. */
export function problemResult(problems: readonly string[]): CommandResult {
  return { text: problems.join('\n'), json: { problems }, exitCode: 2 }
}

/** Of a command that ends with 1 when something differs or a test fails: a script must not take a failure for that. */
export function endWith2(error: unknown): never {
  const { code, message } = failureOf(error)
  throw code === 'failed' ? new StartupError(message, 2) : error
}
