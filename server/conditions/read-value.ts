import { instantSql } from './instant-sql.ts'

/** A stored value as SQL, in the forms that tests need. Each is null when there is no value. */
export interface ReadValue {
  /** As jsonb. */
  readonly json: string
  /** Its text, of whatever type it is. */
  readonly text: string
  /** As numeric; null when it is not a number. */
  readonly number: string
  /** Milliseconds since 1970 as numeric; null when it is not the text of a date-time. */
  readonly instant: string
}

export function readValue(json: string, text = `(${json} #>> '{}')`): ReadValue {
  return {
    json,
    text,
    number: `case when jsonb_typeof(${json}) = 'number' then (${json})::numeric end`,
    instant: `case when jsonb_typeof(${json}) = 'string' then ${instantSql(text)} end`,
  }
}

/** The attribute of this name. `->>` takes less time than `->` does. */
export function readAttribute(attributes: string, name: string): ReadValue {
  return readValue(`(${attributes} -> ${name})`, `(${attributes} ->> ${name})`)
}

/** What the lines of a count read of a row. Each expression is a column of the scan, so lines that read the same share it. */
export class RowColumns {
  readonly #expressions: string[] = []

  /** The name of the column of an expression over the row. */
  add(expression: string): string {
    const known = this.#expressions.indexOf(expression)
    return `object.read_${known === -1 ? this.#expressions.push(expression) - 1 : known}`
  }

  /** In the list of a `select`, after other columns. */
  get list(): string {
    return this.#expressions.map((expression, index) => `, ${expression} as read_${index}`).join('')
  }
}

/** The same value, in columns. Only what is asked for becomes one. */
export function inColumns(value: ReadValue, columns: RowColumns): ReadValue {
  return {
    get json() {
      return columns.add(value.json)
    },
    get text() {
      return columns.add(value.text)
    },
    get number() {
      return columns.add(value.number)
    },
    get instant() {
      return columns.add(value.instant)
    },
  }
}
