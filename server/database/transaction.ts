import type pg from 'pg'
import type { ByteBudget } from './byte-budget.ts'
import { type CommitMarker, insertMarker, newMarker } from './commit-markers.ts'
import type { PooledConnection } from './connection.ts'
import { isUnreachable, sqlState, UnprovenCommit } from './errors.ts'
import type { EnvironmentId, Transaction } from './queryable.ts'

/** Identifies a transaction whose outcome is asked for later: its number, or the marker that it has stored. */
export type TransactionId = NumberedTransaction | { marker: CommitMarker }

export interface NumberedTransaction {
  xid: string
  begunAt: string
  /** That of the log of the server. After a failover the new primary has another. */
  timeline: string
}

/** A new primary gives the numbers of transactions that it never received to other transactions. */
export const TIMELINE = 'left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)'

const IDENTIFY = `select pg_current_xact_id()::text as xid, now()::text as "begunAt", ${TIMELINE} as timeline`

export type CommitOutcome = 'committed' | 'aborted' | 'in progress' | 'forgotten'

type Send = <Row extends pg.QueryResultRow>(
  text: string,
  values: readonly unknown[],
  isHeld?: boolean,
) => Promise<pg.QueryResult<Row>>

/**
 * A transaction on a connection of the pool.
 *
 * | state  | since                                   | `commit` waits for                   | the outcome is known by   |
 * | ------ | --------------------------------------- | ------------------------------------ | ------------------------- |
 * | unused | `Database.begin`                        | nothing                              | –                         |
 * | begun  | the first `query`, or `start`: BEGIN is | what was deferred, and COMMIT        | `id`, if COMMIT is not    |
 * |        | sent before it                          |                                      | answered                  |
 * | single | `single`, in the state unused. No other | the statement, which is a            | a second try, which fails |
 * |        | statement follows. After `hold` it is   | transaction of its own               | if the first took effect  |
 * |        | executed, and committed by `commit`     |                                      |                           |
 * | ended  | `commit` or `abandon`                   |                                      |                           |
 */
export class OpenTransaction implements Transaction {
  readonly kind = 'transaction'
  readonly #client: PooledConnection
  readonly #send: Send
  readonly #opening: readonly string[]
  #begun: Promise<unknown> | undefined
  #single: Promise<unknown> | undefined
  #isHeld = false
  readonly #afterCommit: (() => void)[] = []
  readonly #afterFailure: (() => void)[] = []
  readonly #deferred: Promise<unknown>[] = []
  /** Those of them that may wait for a lock. */
  readonly #waiting: Promise<unknown>[] = []
  readonly isDistributed: boolean
  /** The rows that it reads are counted here. */
  readonly budget: ByteBudget
  #transactionId: Promise<TransactionId> | undefined
  #failure: unknown

  constructor(
    client: PooledConnection,
    opening: readonly string[],
    isDistributed: boolean,
    budget: ByteBudget,
    send: Send,
  ) {
    this.#client = client
    this.#send = send
    this.#opening = opening
    this.isDistributed = isDistributed
    this.budget = budget
  }

  async query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]> {
    this.#ensureBegun()
    try {
      return (await this.#send<Row>(text, values)).rows
    } catch (error) {
      return this.#fail(error)
    }
  }

  /**
   * The statements after the failed one fail too, with `current transaction is aborted`, and their errors may be seen
   * first. What is done depends on the cause.
   */
  #fail(error: unknown): never {
    this.#failure ??= error
    throw this.#failure
  }

  /** Known before COMMIT is sent, so that its outcome can be asked for afterwards. A single statement has none. */
  get id(): Promise<TransactionId> | undefined {
    return this.#transactionId
  }

  /**
   * For a transaction of one environment whose outcome may be asked for. Called when all other statements are sent: on a
   * sharded PostgreSQL a marker is sent with the commit. Elsewhere the number of the transaction identifies it.
   */
  mark(environmentId: EnvironmentId): void {
    if (!this.isDistributed || !this.#begun) return
    const marker = newMarker(environmentId)
    this.#transactionId = Promise.resolve({ marker })
    this.defer(insertMarker(this, marker))
  }

  /** `single` is then one of several statements. */
  start(): void {
    this.#ensureBegun()
  }

  /** A single statement is to be committed by `commit`. Citus may commit one on a worker as soon as it is done. */
  hold(): void {
    if (this.isDistributed) this.start()
    else this.#isHeld = true
  }

  /** For work that is one statement and inserts rows with new ids. It is sent without BEGIN and COMMIT. */
  single(run: (db: Transaction) => Promise<unknown>): void {
    // Another statement was sent before: this is one of several statements.
    if (this.#begun) {
      this.defer(run(this))
      return
    }
    this.#single = run({
      kind: this.kind,
      isDistributed: this.isDistributed,
      query: async (text, values) => (await this.#send(text, values, this.#isHeld)).rows as never,
    })
    this.#single.catch(() => {})
  }

  /** For statements whose results are not awaited: they are sent with the commit, and fail it when they fail. */
  defer(statements: Promise<unknown>): void {
    this.deferLocked(statements)
    this.#waiting.push(statements)
  }

  /**
   * The same for statements that wait for no lock of another batch: they change rows that this transaction has locked, or that
   * belong to those, or insert rows with new ids.
   */
  deferLocked(statements: Promise<unknown>): void {
    this.budget.endReading()
    statements.catch(() => {})
    this.#deferred.push(statements)
  }

  /**
   * Resolves when no statement before COMMIT waits for a lock any more. Throws when one that could wait has failed. A single
   * statement waits for none.
   */
  locked(): Promise<unknown> | undefined {
    return this.#single ? undefined : Promise.all([this.#begun, ...this.#waiting])
  }

  /** The callback must not throw: the transaction is committed, and its jobs would be answered with that error. */
  afterCommit(callback: () => void): void {
    this.#afterCommit.push(callback)
  }

  afterFailure(callback: () => void): void {
    this.#afterFailure.push(callback)
  }

  /**
   * Resolves when every statement before COMMIT has succeeded. The cause is that of the first statement that failed: the
   * statements after it fail because of it, and may be seen to fail earlier. A single statement has none before it.
   */
  async written(): Promise<void> {
    if (this.#single) return
    const outcomes = await Promise.allSettled([this.#begun, ...this.#deferred])
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed) throw failed.reason
  }

  /** Sends COMMIT at once, together with the statements that are not answered yet. */
  async commit(): Promise<void> {
    if (this.#single) await this.#endSingle(this.#single)
    else if (this.#begun) await this.#end()
    this.#client.release()
    this.committed()
  }

  async #endSingle(single: Promise<unknown>): Promise<void> {
    if (this.#isHeld) this.#client.commitHeld()
    this.#isHeld = false
    await single
  }

  /**
   * Throws what the transaction failed with when it is certain that it was rolled back. That is certain when COMMIT was
   * answered with ROLLBACK. An error of PostgreSQL is proof too, except an error of the coordinator of a sharded one:
   * the worker may have committed.
   */
  async #end(): Promise<void> {
    const [statements, commit] = await Promise.allSettled([this.written(), this.#client.execute({ text: 'commit' })])
    if (commit.status === 'fulfilled') {
      if (statements.status === 'rejected') throw statements.reason
      if (commit.value.command === 'ROLLBACK') throw this.#failure ?? new Error('the transaction was rolled back')
      return
    }
    const isProof = !this.isDistributed && sqlState(commit.reason) !== undefined && !isUnreachable(commit.reason)
    throw isProof ? commit.reason : new UnprovenCommit(commit.reason)
  }

  /** Also called when the commit turned out to have happened although its answer was lost. */
  committed(): void {
    for (const callback of this.#afterCommit) callback()
  }

  #ensureBegun(): void {
    if (this.#begun) return
    const opened = this.#opening.map((text) => this.#client.execute({ text }))
    this.#begun = opened.length === 1 ? opened[0] : Promise.all(opened)
    this.#begun?.catch((error) => {
      this.#failure ??= error
    })
    if (this.isDistributed) return
    // A standby refuses this statement, which is the first that writes.
    this.#transactionId = this.#send<NumberedTransaction>(IDENTIFY, []).then(
      ({ rows }) => rows[0] as NumberedTransaction,
      (error) => this.#fail(error),
    )
    this.#transactionId.catch(() => {})
  }

  /** Rolls back, or closes the connection when that fails, which ends the transaction. */
  async abandon(error: unknown): Promise<void> {
    for (const callback of this.#afterFailure) callback()
    if (isUnreachable(error)) return this.#client.release(true)
    try {
      if (this.#begun) await this.#client.execute({ text: 'rollback' })
      else if (this.#single && this.#isHeld) this.#client.rollBackHeld()
      this.#client.release()
    } catch {
      this.#client.release(true)
    }
  }
}
