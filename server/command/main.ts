import { isAway, sqlState } from '../database/errors.ts'
import { StartupError } from '../startup-error.ts'
import { UsageError } from './command.ts'
import { INTERRUPTED, interruption } from './interruption.ts'
import { CLOSED, outputFailure, surviveClosedOutput, writeOut } from './output.ts'
import { runCommand } from './run.ts'

/**
 * The `usher` command. Exit codes: 1 for a failure, 2 for a wrong command line, 130 for an interruption, 141 when nobody
 * reads the output any more (`usher export … | head`).
 */
export async function main(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  interruption.listen()
  surviveClosedOutput()
  try {
    process.exitCode = await runCommand(words, environment)
    if (interruption.signal.aborted) process.exit(INTERRUPTED)
  } catch (error) {
    const code = await report(error, words.includes('--json'))
    process.exitCode = code
    // Lets pending writes to a pipe finish.
    setImmediate(() => process.exit(code))
  }
}

/** Says what went wrong, and returns the exit code. */
async function report(error: unknown, json: boolean): Promise<number> {
  if (outputFailure() === 'EPIPE') return CLOSED
  if (interruption.signal.aborted) {
    process.stderr.write('Interrupted: nothing was left behind.\n')
    return INTERRUPTED
  }
  const code = error instanceof UsageError ? 2 : 1
  if (json && !outputFailure()) {
    const written = await writeOut(`${JSON.stringify(asJson(error), null, 2)}\n`).then(
      () => true,
      () => false,
    )
    if (written || outputFailure() === 'EPIPE') return code
  }
  process.stderr.write(`${describe(error)}\n`)
  return code
}

/** Under `--json` failures are one JSON document too. */
function asJson(error: unknown): object {
  const code = error instanceof UsageError ? 'usage' : error instanceof StartupError ? 'failed' : 'unexpected'
  return { error: { code, message: describe(error) } }
}

/** One line for an error that the operator can fix. A stack only for unexpected errors. */
function describe(error: unknown): string {
  if (outputFailure()) return `Standard output cannot be written (${outputFailure()}).`
  if (error instanceof StartupError) return error.message
  if (sqlState(error) !== undefined || isAway(error)) return `The database failed: ${(error as Error).message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
