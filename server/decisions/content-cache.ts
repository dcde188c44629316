import type { EnvironmentId } from '../database/database.ts'
import type { CompiledEnvironment } from './compiled-content.ts'

/** About 80 MiB: three hundred environments, each with fifty contents for whom one or two conditions decide. */
const MOST_WEIGHT = 80 * 1024 * 1024

/** The compiled content of the environments that were decided about last. The least recently used goes first. */
export class ContentCache {
  readonly #environments = new Map<EnvironmentId, CompiledEnvironment>()
  readonly #mostWeight: number
  #weight = 0

  constructor(mostWeight = MOST_WEIGHT) {
    this.#mostWeight = mostWeight
  }

  get size(): number {
    return this.#environments.size
  }

  get(environmentId: EnvironmentId): CompiledEnvironment | undefined {
    const found = this.#environments.get(environmentId)
    if (!found) return undefined
    this.#environments.delete(environmentId)
    this.#environments.set(environmentId, found)
    return found
  }

  set(environmentId: EnvironmentId, compiled: CompiledEnvironment): void {
    this.#remove(environmentId)
    this.#environments.set(environmentId, compiled)
    this.#weight += compiled.weight
    for (const oldest of this.#environments.keys()) {
      if (this.#weight <= this.#mostWeight || oldest === environmentId) break
      this.#remove(oldest)
    }
  }

  #remove(environmentId: EnvironmentId): void {
    this.#weight -= this.#environments.get(environmentId)?.weight ?? 0
    this.#environments.delete(environmentId)
  }
}
