import { binaryArray } from './binary-array.ts'
import type { InsertForm } from './forms.ts'
import { itemsOf, type Part } from './parts.ts'

/** A column of rows that are inserted, and its text in a row. A time is in milliseconds. */
export interface SentColumn<Row> {
  readonly name: string
  readonly type: keyof typeof STORED
  readonly value: (row: Row) => string | null
  /** What is stored, where it is not the value alone. */
  readonly stored?: string
}

/** What PostgreSQL makes of the text. */
const STORED = {
  text: (name: string) => name,
  uuid: (name: string) => `${name}::uuid`,
  int: (name: string) => `${name}::int`,
  float8: (name: string) => `${name}::float8`,
  boolean: (name: string) => `${name}::boolean`,
  jsonb: (name: string) => `${name}::jsonb`,
  timestamptz: (name: string) => `${name}::timestamptz`,
  time: (name: string) => `to_timestamp(${name}::float8 / 1000)`,
} as const

type Columns<Row> = readonly SentColumn<Row>[]

/** The rows as they are sent: one array of texts for each column, from the parameter `first` on. */
export function givenArrays<Row>(columns: Columns<Row>, { arrays, named }: InsertForm, first = 2): string {
  const numbered = columns.map((_, index) => `$${index + first}::text[]`)
  return `unnest(${arrays}${numbered.join(', ')}) as given (${named}${namesOf(columns)})`
}

export function namesOf<Row>(columns: Columns<Row>): string {
  return columns.map(({ name }) => name).join(', ')
}

export function storedValues<Row>(columns: Columns<Row>): string {
  return columns.map(({ name, type, stored }) => stored ?? STORED[type](name)).join(', ')
}

/**
 * Inserts rows that are sent as arrays; `more` joins what else they depend on. As one JSON document PostgreSQL read each text
 * twice: two events of a step took 83 µs, and take 74; a session 55 and 51; a claim 50 and 49. To write the arrays takes this
 * process as long as to write the document.
 */
export function insertOfArrays<Row>(
  table: string,
  columns: Columns<Row>,
  form: InsertForm,
  { first = 2, more = '' } = {},
): string {
  return `
    insert into ${table} (environment_id, ${namesOf(columns)})
    select ${form.environmentId}, ${storedValues(columns)}
      from ${form.from}${givenArrays(columns, form, first)} ${more}
     where ${form.where}`
}

/** The values of these arrays. */
export function columnArrays<Row>(columns: Columns<Row>, rows: readonly Part<Row>[]): Buffer[] {
  const items = itemsOf(rows)
  return columns.map(({ value }) => binaryArray('text', items.map(value)))
}
