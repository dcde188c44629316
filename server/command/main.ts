import { type Failure, failureOf } from './failure.ts'
import { INTERRUPTED, interruption } from './interruption.ts'
import { CLOSED, outputFailure, surviveClosedOutput, writeOut } from './output.ts'
import { runCommand } from './run.ts'

/**
 * The `usher` command. Exit codes: 1 for a failure, 2 for a wrong command line, 130 for an interruption, 141 when the
 * reader of the output has closed the pipe (`usher export … | head`).
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

/** Says what went wrong, under `--json` as one JSON document on standard output, and returns the exit code. */
export async function report(error: unknown, json: boolean): Promise<number> {
  if (outputFailure() === 'EPIPE') return CLOSED
  const failure = failureOf(error)
  const isWritten = json && !outputFailure() && (await writeJson(failure))
  if (!isWritten || failure.stack !== undefined) process.stderr.write(`${failure.stack ?? failure.message}\n`)
  return failure.exitCode
}

/** False when nobody can read it. */
async function writeJson({ code, message }: Failure): Promise<boolean> {
  return await writeOut(`${JSON.stringify({ error: { code, message } }, null, 2)}\n`).then(
    () => true,
    () => outputFailure() === 'EPIPE',
  )
}
