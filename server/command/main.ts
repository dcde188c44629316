import { isAway, sqlState } from '../database/errors.ts'
import { StartupError } from '../startup-error.ts'
import { UsageError } from './command.ts'
import { INTERRUPTED, interruption } from './interruption.ts'
import { runCommand } from './run.ts'

/** The `usher` command. Exit codes: 1 when it could not be done, 2 when it was typed wrongly, 130 when it was interrupted. */
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
    // What was written to a pipe goes out first.
    setImmediate(() => process.exit(code))
  }
}

/** Under `--json` failures are one JSON document too. */
function asJson(error: unknown): object {
  const code = error instanceof UsageError ? 'usage' : error instanceof StartupError ? 'failed' : 'unexpected'
  return { error: { code, message: describe(error) } }
}

/** One line for what the operator can mend; a stack only for what should not be possible. */
function describe(error: unknown): string {
  if (error instanceof StartupError) return error.message
  if (sqlState(error) !== undefined || isAway(error)) return `The database failed: ${(error as Error).message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
