import type { CommandResult } from '../command.ts'

/** The files cannot be used. */
export function problemResult(problems: readonly string[]): CommandResult {
  return { text: problems.join('\n'), json: { problems }, exitCode: 2 }
}
