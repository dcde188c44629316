import { DatabaseClock } from '../database/clock.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import type { Log } from '../log.ts'
import { SharedSecrets } from '../secrets/shared-secrets.ts'
import type { Config } from '../settings/config.ts'
import { ownAddress } from '../settings/own-address.ts'
import { VERSION } from '../version.ts'
import { type Backlog, measureBacklog } from './backlog.ts'
import { DeliveryLoop } from './delivery/delivery.ts'
import { NameResolver } from './egress/names.ts'
import { SenderOnDemand } from './egress/sender-on-demand.ts'
import { checkWebhookUrl, resolvesToAllowed } from './egress/url.ts'
import { Retention } from './retention.ts'
import { SecretSealer } from './secret-sealer.ts'

const CONNECT_TIMEOUT_MS = 5_000
const TOTAL_TIMEOUT_MS = 15_000

export interface WebhookOptions {
  /** The time of the database, for all parts of the process. */
  databaseClock?: DatabaseClock
  secrets?: SharedSecrets
}

/** The background work of webhooks in a server process. */
export class Webhooks {
  readonly delivery: DeliveryLoop
  readonly secrets: SharedSecrets
  /** Set by the server node. */
  requestsWaited: () => boolean = () => false
  readonly #sender: SenderOnDemand
  readonly #names = new NameResolver()
  readonly #retention: Retention
  readonly #sealer: SecretSealer
  readonly #policy: { allowPrivate: boolean }
  readonly #database: Database
  readonly #databaseClock: DatabaseClock

  constructor(config: Config, database: Database, log: Log, options: WebhookOptions = {}) {
    const { databaseClock = new DatabaseClock(), secrets = new SharedSecrets() } = options
    this.secrets = secrets
    this.#database = database
    this.#databaseClock = databaseClock
    this.#policy = { allowPrivate: config.webhookAllowPrivate }
    this.#sender = new SenderOnDemand({
      ...this.#policy,
      lookup: this.#names.resolve,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      totalTimeoutMs: TOTAL_TIMEOUT_MS,
      now: databaseClock.now,
      userAgent: `Usher/${VERSION} (+${ownAddress(config)}/docs)`,
    })
    this.delivery = new DeliveryLoop({
      database,
      sender: this.#sender,
      log,
      secrets,
      headerPrefix: config.webhookHeaderPrefix,
      databaseClock,
      setting: config.webhookDelivery,
      requestsWaited: () => this.requestsWaited(),
    })
    const doubtedMs = () => databaseClock.doubtedMs
    this.#retention = new Retention({ database, log, clock: databaseClock.now, doubtedMs })
    this.#sealer = new SecretSealer(database, secrets, log)
  }

  /** The partitions of today have to be there before the first notification. */
  async start(): Promise<void> {
    // Before anything goes by it: what is old is deleted for good.
    await this.#databaseClock.read(this.#database)
    await Promise.all([this.#retention.start(), this.#sealer.start()])
    this.delivery.start()
  }

  async stop(): Promise<void> {
    await Promise.all([this.#retention.stop(), this.#sealer.stop(), this.delivery.stop()])
    await this.#sender.close()
  }

  /** The waiting deliveries of all nodes. */
  async backlog(): Promise<Backlog> {
    return await measureBacklog(this.#database)
  }

  readonly wake = (environmentId: EnvironmentId): void => this.delivery.wake(environmentId)

  readonly changed = (environmentId: EnvironmentId, subscriptionId: string): void =>
    this.delivery.changed(environmentId, subscriptionId)

  /** S-WEBHOOK-URL and S-PRIVATE-TARGETS: why notifications cannot go to this URL, or undefined. */
  readonly urlProblem = async (url: string): Promise<string | undefined> =>
    checkWebhookUrl(url, this.#policy) ?? (await resolvesToAllowed(url, this.#policy, this.#names.resolve))
}
