import type { Socket } from 'node:net'
import pg from 'pg'
import { BeyondBudget, type ByteBudget } from './byte-budget.ts'

/** What the driver's types leave out. */
export interface DriverConnection {
  stream: Socket
  parsedStatements: Record<string, string>
  parse(statement: { text: string }): void
  bind(values: object): void
  describe(portal: object): void
  execute(portal: object): void
  sync(): void
}

/** What the driver makes of the description of a statement, in its result. */
interface Description {
  fields: readonly { name: string; format: string }[]
  _parsers: unknown
  _prebuiltEmptyResultObject: unknown
}

interface QueryInternals {
  name: string | undefined
  _result: Description & { rows: unknown[] }
  _accumulateRows: boolean
  /** What the query fails with when all is answered. Until then rows are dropped. */
  _canceledDueToError: unknown
}

interface DriverQuery {
  prepare(driver: DriverConnection): void
  handleDataRow(message: { length: number }): void
  handleCommandComplete(message: object, driver: DriverConnection): void
}

const Query = pg.Query as unknown as new (
  ...parameters: ConstructorParameters<typeof pg.Query>
) => pg.Query & DriverQuery

/**
 * The descriptions of the prepared statements of one connection. PostgreSQL refuses to execute a statement whose columns are
 * not those that it was prepared with, so each is asked for once.
 */
export class Descriptions {
  readonly #known = new Map<string, Description>()
  #silent: DriverConnection | undefined

  of(name: string | undefined): Description | undefined {
    return name === undefined ? undefined : this.#known.get(name)
  }

  /** Of the fields only what rows are read with: there are many of them, on each connection. */
  keep(name: string | undefined, { fields, _parsers, _prebuiltEmptyResultObject }: Description): void {
    if (name === undefined || this.#known.has(name)) return
    const read = fields.map(({ name, format }) => ({ name, format }))
    this.#known.set(name, { fields: read, _parsers, _prebuiltEmptyResultObject })
  }

  forget(name: string): void {
    this.#known.delete(name)
  }

  /** The connection, but it does not ask for descriptions. */
  silent(driver: DriverConnection): DriverConnection {
    this.#silent ??= Object.create(driver, { describe: { value: () => {} } }) as DriverConnection
    return this.#silent
  }
}

/** The driver's own asks for the description each time, and makes the same of it. It keeps rows without a limit, too. */
export class DescribedQuery extends Query {
  descriptions!: Descriptions
  /** Of the transaction, which counts the rows of all its statements. */
  budget: ByteBudget | undefined

  override prepare(driver: DriverConnection): void {
    const { name, _result } = this as unknown as QueryInternals
    const known = this.descriptions.of(name)
    if (!known) {
      super.prepare(driver)
      return
    }
    Object.assign(_result, known)
    ;(this as unknown as QueryInternals)._accumulateRows = true
    super.prepare(this.descriptions.silent(driver))
  }

  override handleDataRow(message: { length: number }): void {
    if (this.budget?.mayKeep(message.length) === false) this.#refuseRows(this.budget)
    super.handleDataRow(message)
  }

  /** What it has is not kept while the others are answered. */
  #refuseRows(budget: ByteBudget): void {
    const query = this as unknown as QueryInternals
    query._result.rows.length = 0
    query._canceledDueToError ||= new BeyondBudget(budget)
  }

  override handleCommandComplete(message: object, driver: DriverConnection): void {
    super.handleCommandComplete(message, driver)
    const { name, _result } = this as unknown as QueryInternals
    this.descriptions.keep(name, _result)
  }
}
