/** Longer than an orderly end takes. */
const STOP_TIMEOUT_MS = 30_000
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** The exit code of a program that Ctrl-C ended. */
export const INTERRUPTED = 130

/** A command was interrupted, and part of its work is done. The message says which part. */
export class Interrupted extends Error {}

/**
 * The signals of this process while a command runs or a server starts. The first asks for an orderly end: PostgreSQL is
 * stopped when it was started here, and unfinished files are removed. The second ends the process at once.
 */
class Interruption {
  readonly #controller = new AbortController()
  readonly #onSignal = () => {
    if (this.signal.aborted) process.exit(INTERRUPTED)
    this.#controller.abort(new Error('interrupted'))
    setTimeout(() => process.exit(INTERRUPTED), STOP_TIMEOUT_MS).unref()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  listen(): void {
    for (const name of SIGNALS) process.on(name, this.#onSignal)
  }

  /** Stops listening to signals: the running server listens to them. */
  release(): void {
    for (const name of SIGNALS) process.off(name, this.#onSignal)
  }
}

export const interruption = new Interruption()
