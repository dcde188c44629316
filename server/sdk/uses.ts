import type { Database, EnvironmentId } from '../database/database.ts'
import { logFailure } from '../database/log-failure.ts'
import type { Log } from '../log.ts'
import { recordSecretUses } from './secret-queries.ts'
import { recordTokenUses } from './token-queries.ts'

const FLUSH_MS = 10_000

/** When tokens and identity secrets were last used: kept in memory, and written every ten seconds. */
export class PublicUses {
  readonly #database: Database
  readonly #log: Log
  #tokens = new Map<number, number>()
  #secrets = new Map<string, { environmentId: EnvironmentId; id: string; ms: number }>()
  readonly #timer: NodeJS.Timeout

  constructor(database: Database, log: Log) {
    this.#database = database
    this.#log = log
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  useToken(id: number): void {
    this.#tokens.set(id, Date.now())
  }

  useSecret(environmentId: EnvironmentId, id: string): void {
    this.#secrets.set(id, { environmentId, id, ms: Date.now() })
  }

  async flush(): Promise<void> {
    const [tokens, secrets] = [this.#tokens, [...this.#secrets.values()]]
    this.#tokens = new Map()
    this.#secrets = new Map()
    try {
      if (tokens.size > 0) await recordTokenUses(this.#database, tokens)
      if (secrets.length > 0) await recordSecretUses(this.#database, secrets)
    } catch (error) {
      logFailure(this.#log, error, {}, 'could not store when public tokens and identity secrets were used')
    }
  }
}
