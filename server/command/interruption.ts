/** Longer than any orderly end takes. */
const PATIENCE_MS = 30_000
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** What a shell shows for a program that Ctrl-C ended. */
export const INTERRUPTED = 130

/**
 * The signals of this process while a command runs or a server starts. The first asks for an orderly end: PostgreSQL is
 * stopped when it was started here, and unfinished files are removed. The second ends the process at once.
 */
class Interruption {
  readonly #controller = new AbortController()
  readonly #onSignal = () => {
    if (this.signal.aborted) process.exit(INTERRUPTED)
    this.#controller.abort(new Error('interrupted'))
    setTimeout(() => process.exit(INTERRUPTED), PATIENCE_MS).unref()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  listen(): void {
    for (const name of SIGNALS) process.on(name, this.#onSignal)
  }

  /** From here on somebody else listens: a server that is up. */
  release(): void {
    for (const name of SIGNALS) process.off(name, this.#onSignal)
  }
}

export const interruption = new Interruption()
