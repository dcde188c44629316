import type { Database, EnvironmentId } from '../database/database.ts'
import { eachEnvironment } from '../database/each-environment.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { logFailure } from '../database/log-failure.ts'
import type { Log } from '../log.ts'
import { hasEarlierNode } from '../secrets/queries.ts'
import type { SharedSecrets } from '../secrets/shared-secrets.ts'
import { lockUnsealed, updateSecrets } from '../subscriptions/queries.ts'
import { placeOf, sealSecrets } from '../subscriptions/secrets.ts'

const AGAIN_MS = 20_000

/** Seals the secrets of earlier versions, once, as soon as no node of an earlier version runs. */
export class SecretSealer {
  readonly #database: Database
  readonly #secrets: SharedSecrets
  readonly #log: Log
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined

  constructor(database: Database, secrets: SharedSecrets, log: Log) {
    this.#database = database
    this.#secrets = secrets
    this.#log = log
  }

  /** Afterwards it is known whether new secrets are sealed. Those that are stored already are sealed meanwhile. */
  async start(): Promise<void> {
    if (this.#secrets.box.keyId === undefined) return
    await this.#decide()
    this.#run()
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#running
  }

  #run(): void {
    this.#running = this.#sealAll().then(
      (done) => this.#again(done),
      (error) => {
        logFailure(this.#log, error, {}, 'could not seal the secrets of webhooks; it is tried again')
        this.#again(false)
      },
    )
  }

  #again(done: boolean): void {
    if (!done) this.#timer = setTimeout(() => this.#run(), AGAIN_MS).unref()
  }

  async #decide(): Promise<void> {
    this.#secrets.isSealing ||= !(await hasEarlierNode(this.#database))
  }

  /** Returns whether everything is sealed. */
  async #sealAll(): Promise<boolean> {
    await this.#decide()
    if (!this.#secrets.isSealing) return false
    await eachEnvironment(this.#database, (id) => this.#sealOf(id))
    return true
  }

  async #sealOf(environmentId: EnvironmentId): Promise<void> {
    await inTransaction(this.#database, async (transaction) => {
      for (const { id, ...stored } of await lockUnsealed(transaction, environmentId)) {
        const { secret, previous } = sealSecrets(this.#secrets, placeOf(environmentId, id), stored)
        await updateSecrets(transaction, environmentId, id, secret, previous)
      }
    })
  }
}
