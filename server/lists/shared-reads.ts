import { Batcher } from '../batcher.ts'
import type { EnvironmentId } from '../database/database.ts'

/**
 * Lists that are asked for by several at the same time are read once for all of them. Nobody sees a state from before
 * it asked: a request that arrives during a read waits for the next read. So a dashboard that everybody looks at costs
 * two reads at a time and not a hundred.
 */
export class SharedReads {
  readonly #batchers = new Map<string, Batcher<undefined, string>>()

  /** `what` says all that the answer depends on, beside the environment. */
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
