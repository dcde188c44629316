import type { ClientBase, QueryResultRow } from 'pg'
import type { MostBytes } from './byte-budget.ts'

export type EnvironmentId = number & { readonly brand: 'environment' }

/** Anything that runs statements: a connection of the pool, or a transaction. */
export interface Queryable {
  /** Whether the tables are spread over the workers of a Citus cluster. */
  readonly isDistributed: boolean
  /** On a cluster, called before the first insert of an environment (see `insertForms`), outside of transactions. */
  anchor?(environmentId: EnvironmentId): Promise<void>
  query<Row extends QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]>
}

/** Where lists are read: a statement can also be planned for its values. */
export interface Reader extends Queryable {
  /** Fails with `BeyondBudget` when the rows have more bytes than `most`. */
  query<Row extends QueryResultRow>(text: string, values: readonly unknown[], most?: MostBytes): Promise<Row[]>
  queryUnprepared<Row extends QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]>
}

/** An open transaction. Statements that are sent without waiting for each other share one round trip. */
export interface Transaction extends Queryable {
  readonly kind: 'transaction'
}

/** Runs statements on a connection of one's own, on a database whose tables may not be there yet. */
export function queryableOf(client: ClientBase): Pick<Queryable, 'query'> {
  return { query: async (text, values) => (await client.query(text, [...values])).rows }
}
