import { Batcher } from '../batches/batcher.ts'
import type { EnvironmentId } from '../database/database.ts'

/**
 * Concurrent requests for the same list share one read. No request sees a state from before it arrived: a request that
 * arrives during a read waits for the next read. So a hundred concurrent requests for a list cost two reads.
 */
export class SharedReads {
  readonly #batchers = new Map<string, Batcher<undefined, string>>()

  /** `what` identifies the list within the environment. */
  async read(environmentId: EnvironmentId, what: string, read: () => Promise<string>): Promise<string> {
    const key = `${environmentId} ${what}`
    const batcher = this.#batchers.get(key) ?? this.#create(key, read)
    return await batcher.add(undefined)
  }

  #create(key: string, read: () => Promise<string>): Batcher<undefined, string> {
    const batcher = new Batcher<undefined, string>(async (batch) => {
      try {
        const text = await read()
        for (const { resolve } of batch) resolve(text)
      } finally {
        if (batcher.size === 0) this.#batchers.delete(key)
      }
    })
    this.#batchers.set(key, batcher)
    return batcher
  }
}
