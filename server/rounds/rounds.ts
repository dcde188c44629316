/**
 * Work that a process repeats until it stops. One round at a time: a round that takes longer than the interval takes the place of
 * the next one. A round reports its own failures.
 */
export class Rounds {
  readonly #everyMs: number
  readonly #round: () => Promise<void>
  readonly #stopping = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined

  constructor(everyMs: number, round: () => Promise<void>) {
    this.#everyMs = everyMs
    this.#round = round
  }

  /** Aborted by a stop: a round ends after the step that is under way. */
  get signal(): AbortSignal {
    return this.#stopping.signal
  }

  /** The first round is after the interval, or at the first `wake`. */
  start(): void {
    this.#timer = setInterval(this.wake, this.#everyMs).unref()
  }

  /** Begins a round at once, if none is under way. */
  readonly wake = (): void => {
    if (this.signal.aborted || this.#timer === undefined) return
    this.#running ??= this.#round().finally(() => {
      this.#running = undefined
    })
  }

  /** Waits for the round that is under way. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    clearInterval(this.#timer)
    await this.#running
  }
}
