import type { Database } from '../../database/database.ts'

/** A claim of this size means that the table has rows to make statistics of. */
const MANY = 20

/**
 * PostgreSQL has no statistics of the deliveries of a new installation: the table was empty whenever it was analysed. Any
 * index that begins with the environment then seems as good as the primary key, and to delete a delivery PostgreSQL
 * read the backlog of its subscription. Beside 1,000 events a second with three subscriptions, 300 deliveries a
 * second were made instead of 2,100, until autovacuum came by. So the first large claim of a server makes the
 * statistics, if there are none. They stay when the table is empty again.
 */
export class DeliveryStatistics {
  readonly #database: Database
  #isChecked = false

  constructor(database: Database) {
    this.#database = database
  }

  /** Called after each claim. A failure is ignored: autovacuum makes the statistics too. The workers of a cluster have their own. */
  async check(claimed: number): Promise<void> {
    if (this.#isChecked || claimed < MANY || this.#database.isDistributed) return
    this.#isChecked = true
    await this.#ensure().catch(() => {})
  }

  async #ensure(): Promise<void> {
    const found = await this.#database.queryUnprepared(
      `select 1 from pg_stats
        where schemaname = current_schema() and tablename = 'webhook_deliveries' and attname = 'subscription_id'`,
      [],
    )
    if (found.length === 0) await this.#database.queryUnprepared('analyze webhook_deliveries', [])
  }
}
