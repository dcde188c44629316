import type { Queryable } from './queryable.ts'
import { within } from './within.ts'
import { askWorkers } from './workers.ts'

const ANSWER_MS = 2_000
const KEPT_MS = 1_000

/**
 * Whether all workers of a Citus cluster answer, asked at most once a second. A worker whose machine is gone keeps the
 * question waiting: there is only one question at a time.
 */
export class WorkerCheck {
  readonly #database: Queryable
  #answer: Promise<string> | undefined

  constructor(database: Queryable) {
    this.#database = database
  }

  async read(): Promise<string> {
    this.#answer ??= this.#ask()
    return await within(ANSWER_MS, this.#answer, 'a worker does not answer: its environments get 503')
  }

  async #ask(): Promise<string> {
    try {
      return describe(await askWorkers(this.#database))
    } catch {
      return 'not known'
    } finally {
      setTimeout(() => {
        this.#answer = undefined
      }, KEPT_MS).unref()
    }
  }
}

function describe(workers: readonly { address: string; answers: boolean }[]): string {
  const silent = workers.filter(({ answers }) => !answers).map(({ address }) => address)
  if (silent.length === 0) return 'ok'
  return silent.length === 1
    ? `${silent[0]} does not answer: its environments get 503`
    : `${silent.join(', ')} do not answer: their environments get 503`
}
