import { binaryArray } from './binary-array.ts'
import { type InsertForm, jsonRows } from './forms.ts'
import { itemsOf, type Part } from './parts.ts'

/** A column of rows that are inserted, and its text in a row. A time is in milliseconds. */
export interface SentColumn<Row> {
  readonly name: string
  readonly type: keyof typeof TYPES
  readonly value: (row: Row) => string | null
  /** Longer than the others together, or with many quotes: it is sent beside the document. */
  readonly isLong?: boolean
  /** What is stored, where it is not the value alone. */
  readonly stored?: string
}

const quoted = (text: string) => `"${text}"`
const plain = (text: string) => text

/** The type in the document, and the JSON of a text. */
const TYPES = {
  text: { declared: 'text', json: JSON.stringify as (text: string) => string },
  uuid: { declared: 'uuid', json: quoted },
  int: { declared: 'int', json: plain },
  float8: { declared: 'float8', json: plain },
  boolean: { declared: 'boolean', json: plain },
  jsonb: { declared: 'jsonb', json: plain },
  timestamptz: { declared: 'timestamptz', json: quoted },
  time: { declared: 'float8', json: plain },
} as const

type Columns<Row> = readonly SentColumn<Row>[]

/**
 * The rows as they are sent, from the parameter `first` on: a JSON document, and an array for each long column. PostgreSQL
 * reads a document twice before it has rows, and JSON in it is escaped: a notification took 24 µs, and takes 19. Short columns
 * stay in the document: each parameter costs both sides some µs of a statement.
 */
export function givenRows<Row>(columns: Columns<Row>, { declared, named }: InsertForm, first = 2): string {
  const [short, long] = [columns.filter(({ isLong }) => !isLong), columns.filter(({ isLong }) => isLong)]
  const types = short.map(({ name, type }) => `${name} ${TYPES[type].declared}`)
  const document = `json_to_recordset($${first}::json)`
  if (long.length === 0) return `${document} as given (${declared}${types.join(', ')})`
  const arrays = long.map((_, index) => `unnest($${first + 1 + index}::text[])`)
  return `rows from (${document} as (${declared}${types.join(', ')}), ${arrays.join(', ')})
    as given (${named}${namesOf([...short, ...long])})`
}

export function namesOf<Row>(columns: Columns<Row>): string {
  return columns.map(({ name }) => name).join(', ')
}

export function storedValues<Row>(columns: Columns<Row>): string {
  return columns.map(storedValue).join(', ')
}

function storedValue<Row>({ name, type, isLong, stored }: SentColumn<Row>): string {
  if (stored !== undefined) return stored
  if (type === 'time') return `to_timestamp(${name} / 1000)`
  return isLong ? `${name}::${type}` : name
}

/** Inserts rows that are sent so; `more` joins what else they depend on. */
export function insertOfRows<Row>(
  table: string,
  columns: Columns<Row>,
  form: InsertForm,
  { first = 2, more = '' } = {},
): string {
  return `
    insert into ${table} (environment_id, ${namesOf(columns)})
    select ${form.environmentId}, ${storedValues(columns)}
      from ${form.from}${givenRows(columns, form, first)} ${more}
     where ${form.where}`
}

/** The number of parameters. */
export function countSent<Row>(columns: Columns<Row>): number {
  return 1 + columns.filter(({ isLong }) => isLong).length
}

/** The values of these parameters. */
export function sentRows<Row>(columns: Columns<Row>, rows: readonly Part<Row>[]): unknown[] {
  const long = columns.filter(({ isLong }) => isLong)
  const arrays = long.map(({ value }) => binaryArray('text', itemsOf(rows).map(value)))
  return [jsonRows(rows, (row) => rowText(columns, row)), ...arrays]
}

/** A column that is null is left out: PostgreSQL reads it as null. The first is the key, which never is. */
function rowText<Row>(columns: Columns<Row>, row: Row): string {
  let text = ''
  for (const { name, type, value, isLong } of columns) {
    const own = isLong ? null : value(row)
    if (own !== null) text += `,"${name}":${TYPES[type].json(own)}`
  }
  return `{${text.slice(1)}}`
}
