/** What a shell shows for a program that wrote to a pipe without a reader: 128 + SIGPIPE. */
export const CLOSED = 141

let failure: string | undefined
const fail = (error: NodeJS.ErrnoException) => {
  failure ??= error.code ?? error.message
}

/**
 * Without a listener, a failed write to standard output or standard error ends the process with a stack trace. A server
 * continues without its output; a command checks `outputFailure`.
 */
export function surviveClosedOutput(): void {
  process.stdout.on('error', fail)
  process.stderr.on('error', () => {})
}

/** Rejects when the text could not be written. */
export async function writeOut(text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (!error) return resolve()
      fail(error)
      reject(error)
    })
  })
}

/** Why standard output cannot be written any more. */
export function outputFailure(): string | undefined {
  return failure
}
