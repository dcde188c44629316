import type { OrderField } from './page.ts'

/** What a list reads from. `columns` are our SQL expressions by the contract's field names. */
export interface ListSource {
  /** With the alias of the table that holds the objects, and `environment_id = $1::int` in `where`. */
  from: string
  where: readonly string[]
  values: readonly unknown[]
  select: string
  id: string
  columns: Readonly<Record<string, Column>>
  idType: 'text' | 'uuid'
  /**
   * Whether the best plan depends on the value of the filter: a group of two members needs another plan than a group of a
   * million. All other lists are prepared: planning took a third of PostgreSQL's time for a page.
   */
  filtered: boolean
  /** The sequence number of the horizon among its values. */
  sequence?: number
  /** Defaults to `limits.listMaximum`. One more row is read to see whether more follow. */
  longestPage?: number
  /** A page ends after the row with which this jsonb has so many bytes, so a statement never answers much more. */
  measured?: { expression: string; mostBytes: number }
}

/** `instant` is a `timestamptz` of any year, which a position holds as milliseconds since 1970. */
export interface Column {
  expression: string
  type: 'text' | 'uuid' | 'timestamptz' | 'instant'
  /** What the index has instead of it: a coarser value, in the same order. The rows of one are sorted. */
  slot?: { expression: string; of: (value: string) => string }
}

/** The columns of the rows that a list returns, as its `select`. */
export function columnsOf(alias: string, columns: string): string {
  return columns.replaceAll(/\w+/g, (name) => `${alias}.${name}`)
}

/** The id as the last field, in the direction of the last field, so that a single descending field reads its index backwards. */
export function withId(source: ListSource, order: readonly OrderField[]) {
  const fields = order.map(({ name, descending }) => ({ ...column(source, name), descending }))
  const id: Column = { expression: source.id, type: source.idType }
  return [...fields, { ...id, descending: order.at(-1)?.descending ?? false }]
}

export function keyText({ expression, type }: Column): string {
  return type === 'instant' ? `(extract(epoch from ${expression}) * 1000)::bigint::text` : expression
}

export function column(source: ListSource, name: string): Column {
  return source.columns[name] as Column
}
