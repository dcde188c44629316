import type { EnvironmentId } from '../../database/database.ts'

/** Each uses one connection at a time, and the delivery has four. */
const MOST_AT_ONCE = 4

export interface EnvironmentRoundsOptions {
  /** Never rejects. */
  run: (environmentId: EnvironmentId) => Promise<void>
  onEnd: (environmentId: EnvironmentId) => void
}

/**
 * The rounds of the environments. Each environment has one at a time, and no round waits for the end of another, so a slow
 * environment delays itself alone. At most four run at once; the others wait in their order.
 */
export class EnvironmentRounds {
  readonly #options: EnvironmentRoundsOptions
  readonly #waiting = new Set<EnvironmentId>()
  readonly #running = new Map<EnvironmentId, Promise<void>>()

  constructor(options: EnvironmentRoundsOptions) {
    this.#options = options
  }

  /** Whether a round of the environment waits or runs. */
  has(environmentId: EnvironmentId): boolean {
    return this.#waiting.has(environmentId) || this.#running.has(environmentId)
  }

  /** Does nothing when the environment has one. */
  add(environmentId: EnvironmentId): void {
    if (!this.#running.has(environmentId)) this.#waiting.add(environmentId)
    this.#startNext()
  }

  /** Starts none of those that wait, and resolves when none is running. */
  async stop(): Promise<void> {
    this.#waiting.clear()
    await Promise.all(this.#running.values())
  }

  #startNext(): void {
    for (const environmentId of this.#waiting) {
      if (this.#running.size === MOST_AT_ONCE) return
      this.#waiting.delete(environmentId)
      this.#running.set(environmentId, this.#run(environmentId))
    }
  }

  async #run(environmentId: EnvironmentId): Promise<void> {
    await this.#options.run(environmentId)
    this.#running.delete(environmentId)
    this.#options.onEnd(environmentId)
    this.#startNext()
  }
}
