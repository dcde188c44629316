import pg from 'pg'
import { Anchors } from './anchors.ts'
import { ByteBudget, type MostBytes } from './byte-budget.ts'
import { resolveMarker } from './commit-markers.ts'
import { Connection, type PooledConnection } from './connection.ts'
import { gatheringSocket } from './gather-writes.ts'
import type { EnvironmentId } from './queryable.ts'
import { Session, type SessionSettings } from './session.ts'
import { SharedConnections } from './shared-connections.ts'
import { StatementNames } from './statement-names.ts'
import { type CommitOutcome, OpenTransaction, TIMELINE, type TransactionId } from './transaction.ts'
import { types } from './types.ts'

export type { EnvironmentId, Queryable, Reader, Transaction } from './queryable.ts'
export { OpenTransaction } from './transaction.ts'

export interface DatabaseOptions {
  connection: pg.PoolConfig
  connections: number
  statementTimeoutMs: number
  lockTimeoutMs: number
  /** Settings of PostgreSQL for these connections. */
  settings?: SessionSettings | undefined
  /** Whether the tables are spread over the workers of a Citus cluster (see `findTopology`). */
  isDistributed?: boolean | undefined
}

/**
 * Prepared statements are planned once. By default PostgreSQL plans a search by ids each time, because it estimates
 * the generic plan, for any number of ids, as more expensive. Planning was half of the 0.2 ms of such a statement.
 */
const GENERIC_PLANS = { plan_cache_mode: 'force_generic_plan' }

/** Citus cannot route a generic plan: it answers 0A000. What is `set local` reaches the workers of the transaction. */
const OF_CITUS = { plan_cache_mode: 'auto', 'citus.propagate_set_commands': 'local' }

/** Identifies the sessions of a running server in `pg_stat_activity`. */
export const APPLICATION_NAME = 'usher'

/** All access to PostgreSQL: a pool of pipelined connections. */
export class Database {
  readonly pool: pg.Pool
  readonly #shared: SharedConnections
  readonly #names = new StatementNames()
  readonly #plansOnce: boolean
  readonly #lockTimeoutMs: number
  readonly isDistributed: boolean
  readonly #anchors = new Anchors()

  constructor(options: DatabaseOptions) {
    const { connection, connections, statementTimeoutMs, lockTimeoutMs, isDistributed = false } = options
    const all = { ...(isDistributed ? OF_CITUS : GENERIC_PLANS), ...options.settings }
    this.isDistributed = isDistributed
    this.#lockTimeoutMs = lockTimeoutMs
    this.#plansOnce = all.plan_cache_mode === GENERIC_PLANS.plan_cache_mode
    this.pool = new pg.Pool({
      connectionTimeoutMillis: 5_000,
      ...connection,
      Client: Connection as never,
      max: connections,
      pipeline: true,
      stream: gatheringSocket,
      types,
      // Idle connections stay open: a request after a pause does not wait for a new one, and no timer is set for each use.
      idleTimeoutMillis: 0,
      mostSilentMs: statementTimeoutMs + 5_000,
      names: this.#names,
      isDistributed,
      keepAlive: true,
      settings: {
        application_name: APPLICATION_NAME,
        statement_timeout: String(statementTimeoutMs),
        lock_timeout: String(lockTimeoutMs),
        idle_in_transaction_session_timeout: String(statementTimeoutMs + 5_000),
        jit: 'off',
        ...all,
      },
    } as pg.PoolConfig)
    this.#shared = new SharedConnections(this.pool)
    // A broken connection fails its statements, and is replaced when a connection is needed.
    this.pool.on('error', () => {})
  }

  /** A statement whose text is fixed: it is prepared once per connection. */
  async query<Row extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[],
    most?: MostBytes,
  ): Promise<Row[]> {
    const budget = most && new ByteBudget(most)
    return await this.#shared.run(async (client) => (await this.#send<Row>(client, text, values, false, budget)).rows)
  }

  /** A statement that is planned for its values and the current size of its tables. */
  async queryUnprepared<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return await this.#shared.run((client) => this.#sendUnprepared<Row>(client, text, values))
  }

  /**
   * Opens a transaction. A connection that breaks at its commit leaves the outcome open: the caller asks `outcome` with
   * the transaction's id.
   */
  async begin(lockTimeoutMs?: number, most?: MostBytes): Promise<OpenTransaction> {
    const client = (await this.pool.connect()) as PooledConnection
    const budget = new ByteBudget(most)
    const send = <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[], isHeld = false) =>
      this.#send<Row>(client, text, values, isHeld, budget)
    return new OpenTransaction(client, this.#opening(lockTimeoutMs), this.isDistributed, budget, send)
  }

  #opening(lockTimeoutMs: number | undefined): string[] {
    if (this.isDistributed) return shardedOpening(lockTimeoutMs ?? this.#lockTimeoutMs)
    return [lockTimeoutMs === undefined ? 'begin' : `begin; set local lock_timeout = ${lockTimeoutMs}`]
  }

  /**
   * The outcome of a transaction whose COMMIT was not answered. After a crash of PostgreSQL, and after a failover, it is
   * unknown: the numbers of lost transactions are used again, for other transactions. A crash shows in the start of the
   * checkpointer, which is new after every recovery. A user who may not see that process uses the last checkpoint: every
   * recovery ends with one. A failover shows in the timeline.
   */
  async outcome(id: TransactionId): Promise<CommitOutcome | null> {
    if ('marker' in id) return (await resolveMarker(this, id.marker)) ? 'committed' : 'aborted'
    const [row] = await this.query<{ status: CommitOutcome | null }>(
      `select case when recovered_at > $2::timestamptz - interval '1 second' or ${TIMELINE} <> $3::text then 'forgotten'
                   else pg_xact_status($1::xid8) end as status
         from (select coalesce(
                 (select backend_start from pg_stat_activity where backend_type = 'checkpointer'),
                 (select checkpoint_time from pg_control_checkpoint())
               ) as recovered_at) as server`,
      [id.xid, id.begunAt, id.timeline],
    )
    return row?.status ?? null
  }

  /** An unopened connection outside the pool, for long uses: LISTEN, and the maintenance of tables. */
  ownClient(settings: SessionSettings = {}): Session {
    const pool = this.pool.options
    return new Session({
      ...pool,
      // The pool makes the property non-enumerable.
      ...(pool.password !== undefined && { password: pool.password }),
      // By the system's own setting, a peer that is gone is noticed after two hours.
      keepAliveInitialDelayMillis: 30_000,
      settings: { application_name: APPLICATION_NAME, ...(this.isDistributed && OF_CITUS), ...settings },
    })
  }

  async anchor(environmentId: EnvironmentId): Promise<void> {
    if (this.isDistributed) await this.#anchors.ensure(this, environmentId)
  }

  async close(): Promise<void> {
    if (!this.pool.ending) await this.pool.end()
  }

  #send<Row extends pg.QueryResultRow>(
    client: Connection,
    text: string,
    values: readonly unknown[],
    isHeld = false,
    budget?: ByteBudget,
  ): Promise<pg.QueryResult<Row>> {
    const statement = { name: this.#names.nameOf(text), text, values: values as unknown[] }
    return isHeld ? client.hold<Row>(statement) : client.execute<Row>(statement, budget)
  }

  /** All in one write: the settings cost little compared with planning. */
  async #sendUnprepared<Row extends pg.QueryResultRow>(
    client: Connection,
    text: string,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const set = (text: string) => void (this.#plansOnce && client.execute({ text }).catch(() => {}))
    set('set plan_cache_mode = force_custom_plan')
    const answer = client.execute<Row>({ text, values: values as unknown[] })
    set('reset plan_cache_mode')
    return (await answer).rows
  }
}

/**
 * The settings of a session do not reach the workers of a cluster; those of a transaction do. Citus sends the whole text
 * of a SET to the worker, so each is sent alone: with `begin` in the text the worker logged a warning for every batch.
 *
 * With the default `random_page_cost` of 4, meant for rotating disks, a worker reads a table of 2,000 users from its beginning
 * to its end to lock thirty, and once more to update them: 0.35 ms of CPU of every batch. `enable_seqscan = off` avoids
 * it too, but then PostgreSQL compiles the plan of a table without an index.
 */
function shardedOpening(lockTimeoutMs: number): string[] {
  return ['begin', `set local lock_timeout = ${lockTimeoutMs}`, 'set local random_page_cost = 1.1']
}
