import type pg from 'pg'
import type { ByteBudget } from './byte-budget.ts'
import { DescribedQuery, Descriptions, type DriverConnection } from './described-query.ts'
import { sqlState, withWorkerUnreachable } from './errors.ts'
import { Session, type SessionOptions } from './session.ts'
import type { StatementNames } from './statement-names.ts'

export interface ConnectionOptions extends SessionOptions {
  /** Longer than any statement may take. */
  mostSilentMs: number
  names: StatementNames
  /** Whether it leads to the coordinator of a sharded PostgreSQL. */
  isDistributed?: boolean
}

/** What the driver's types leave out. */
interface DriverInternals {
  connection: DriverConnection
}

const CHECKS_PER_LIMIT = 10
const NO_SUCH_STATEMENT = '26000'

/**
 * A connection to PostgreSQL. It is closed, and its statements fail, when nothing is answered for too long: the machine at
 * the other end may have crashed. One timer checks this periodically. A timer for each statement would cost time and
 * would hardly ever fire.
 */
export class Connection extends Session {
  readonly #mostSilentMs: number
  readonly #names: StatementNames
  readonly #isDistributed: boolean
  readonly #prepared = new Set<string>()
  readonly #descriptions = new Descriptions()
  #unanswered = 0
  #silentSince = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: ConnectionOptions) {
    super(options)
    this.#mostSilentMs = options.mostSilentMs
    this.#names = options.names
    this.#isDistributed = options.isDistributed ?? false
    this.once('end', () => clearInterval(this.#timer))
  }

  /**
   * Statements that are sent without waiting are answered in order. The driver's own promises are not used: each has a
   * function literal that is assigned to a property, which V8 treats as a long-lived method. It puts such a function
   * among the old objects at once, and all that it refers to, the rows among them, is kept until the next full
   * collection. Measured with 64 connections that write users and groups: with those promises 760 kB of every 13 MB
   * survived two minor collections, and a full collection paused the process for 40 ms every four seconds. Without them
   * it is 23 kB, and no full collection.
   */
  execute<Row extends pg.QueryResultRow>(statement: pg.QueryConfig, budget?: ByteBudget): Promise<pg.QueryResult<Row>> {
    return this.#run(DescribedQuery, statement, budget)
  }

  /**
   * A statement that is a transaction of its own, and is committed later: PostgreSQL executes it when it arrives, and
   * commits it at the Sync that the driver otherwise sends with it. Nothing is answered before, except an error. No other
   * statement may be under way until `commitHeld` or `rollBackHeld` is called.
   */
  hold<Row extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    return this.#run(HeldQuery, statement)
  }

  commitHeld(): void {
    this.#driver.sync()
  }

  /** After an error PostgreSQL skips all before the Sync. */
  rollBackHeld(): void {
    const driver = this.#driver
    driver.parse({ text: 'rollback' })
    driver.bind({})
    driver.execute({})
    driver.sync()
  }

  get #driver(): DriverConnection {
    return (this as unknown as DriverInternals).connection
  }

  #run<Row extends pg.QueryResultRow>(
    Query: typeof DescribedQuery,
    statement: pg.QueryConfig,
    budget?: ByteBudget,
  ): Promise<pg.QueryResult<Row>> {
    if (this.#unanswered === 0) this.#silentSince = performance.now()
    this.#unanswered += 1
    this.#timer ??= setInterval(() => this.#checkSilence(), this.#mostSilentMs / CHECKS_PER_LIMIT).unref()
    if (statement.name !== undefined && !this.#prepared.has(statement.name)) this.#prepare(statement.name)
    return new Promise((resolve, reject) => {
      const query = toQuery(Query, statement, (error, result) => {
        this.#unanswered -= 1
        this.#silentSince = performance.now()
        if (error) reject(this.#isDistributed ? withWorkerUnreachable(error) : error)
        else resolve(result as pg.QueryResult<Row>)
      })
      query.descriptions = this.#descriptions
      query.budget = budget
      this.query(query)
    })
  }

  /** Deallocates statements whose name was dropped before more are prepared. */
  #prepare(name: string): void {
    for (const each of this.#prepared) if (!this.#names.isCurrent(each)) this.#deallocate(each)
    this.#prepared.add(name)
  }

  /** Sent after every use of the name, and statements are answered in order. In a failed transaction it fails, and is repeated. */
  #deallocate(name: string): void {
    this.#prepared.delete(name)
    void this.query(`deallocate ${name}`, (error: Error | null) => {
      // A statement that failed in its first use was never prepared.
      if (error && sqlState(error) !== NO_SUCH_STATEMENT) this.#prepared.add(name)
      else {
        delete this.#driver.parsedStatements[name]
        this.#descriptions.forget(name)
      }
    })
  }

  #checkSilence(): void {
    // When this process was suspended, there may be answers that are not read yet.
    if (this.#isSilent()) setImmediate(() => this.#isSilent() && this.#giveUp())
  }

  #isSilent(): boolean {
    return this.#unanswered > 0 && performance.now() - this.#silentSince >= this.#mostSilentMs
  }

  #giveUp(): void {
    const why = `connection terminated: nothing was answered for ${this.#mostSilentMs} ms`
    this.#driver.stream.destroy(new Error(why))
  }
}

/**
 * The driver copies a configuration object together with its property descriptors, which took 26 µs for each statement
 * (one request at a time). A text and its values are not copied.
 */
function toQuery(
  Query: typeof DescribedQuery,
  { name, text, values }: pg.QueryConfig,
  callback: (error: Error | null, result: unknown) => void,
) {
  const query = new Query(text, values, callback as never)
  return Object.assign(query, { name })
}

class HeldQuery extends DescribedQuery {
  /** The driver's own sends Sync too. */
  _getRows(driver: DriverConnection): void {
    driver.execute({})
  }
}

/** A connection checked out of the pool. */
export type PooledConnection = Connection & Pick<pg.PoolClient, 'release'>
