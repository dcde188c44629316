import { isAway, sqlState } from '../database/errors.ts'
import { StartupError } from '../startup-error.ts'
import { UsageError } from './command.ts'
import { INTERRUPTED, interruption } from './interruption.ts'
import { runCommand } from './run.ts'

/** The `usher` command. Exit codes: 1 for a failure, 2 for a wrong command line, 130 for an interruption. */
export async function main(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  interruption.listen()
  try {
    process.exitCode = await runCommand(words, environment)
    if (interruption.signal.aborted) process.exit(INTERRUPTED)
  } catch (error) {
    if (interruption.signal.aborted) {
      process.stderr.write('Interrupted: nothing was left behind.\n')
      process.exit(INTERRUPTED)
    }
    const code = error instanceof UsageError ? 2 : 1
    if (words.includes('--json')) process.stdout.write(`${JSON.stringify(asJson(error), null, 2)}\n`)
    else process.stderr.write(`${describe(error)}\n`)
    process.exitCode = code
    // Lets pending writes to a pipe finish.
    setImmediate(() => process.exit(code))
  }
}

/** Under `--json` failures are one JSON document too. */
function asJson(error: unknown): object {
  const code = error instanceof UsageError ? 'usage' : error instanceof StartupError ? 'failed' : 'unexpected'
  return { error: { code, message: describe(error) } }
}

/** One line for an error that the operator can fix. A stack only for unexpected errors. */
function describe(error: unknown): string {
  if (error instanceof StartupError) return error.message
  if (sqlState(error) !== undefined || isAway(error)) return `The database failed: ${(error as Error).message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
