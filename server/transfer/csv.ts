import { StringDecoder } from 'node:string_decoder'
import { dataTypes } from '../../contract/attributes.ts'
import { limits } from '../../contract/limits.ts'
import { StartupError } from '../startup-error.ts'

export interface CsvRow {
  /** The line on which it begins, from 1. */
  number: number
  cells: string[]
}

/** The rows of a CSV text (RFC 4180: cells in quotes may hold commas, line breaks and doubled quotes), many at a time. */
export async function* csvRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<CsvRow[]> {
  const decoder = new StringDecoder('utf8')
  const parser = new RowParser()
  for await (const chunk of chunks) yield parser.push(decoder.write(chunk))
  yield parser.push(`${decoder.end()}\n`)
}

class RowParser {
  #cells: string[] = []
  #cell = ''
  #quoted = false
  #afterQuote = false
  #line = 1
  #begun = 1

  push(text: string): CsvRow[] {
    const rows: CsvRow[] = []
    for (const character of text) {
      if (character === '\n') this.#line += 1
      if (this.#quoted && !(this.#afterQuote && character !== '"')) this.#inQuotes(character)
      else if (character === '"' && this.#cell === '' && !this.#afterQuote) this.#quoted = true
      else if (character === ',') this.#endCell()
      else if (character === '\n') this.#endRow(rows)
      else this.#cell += character
      if (this.#cell.length > limits.bodyBytes)
        throw new StartupError(`Line ${this.#begun}: a cell is longer than 1 MiB: is a quote missing?`)
    }
    return rows
  }

  #inQuotes(character: string): void {
    if (character !== '"') this.#cell += character
    else if (this.#afterQuote) {
      this.#cell += '"'
      this.#afterQuote = false
    } else this.#afterQuote = true
  }

  #endCell(): void {
    this.#cells.push(this.#cell)
    this.#cell = ''
    this.#quoted = false
    this.#afterQuote = false
  }

  #endRow(rows: CsvRow[]): void {
    if (!this.#quoted && this.#cell.endsWith('\r')) this.#cell = this.#cell.slice(0, -1)
    this.#endCell()
    const row = { number: this.#begun, cells: this.#cells }
    this.#cells = []
    this.#begun = this.#line
    if (row.cells.length > 1 || row.cells[0] !== '') rows.push(row)
  }
}

type ReadCell = (cell: string, body: Record<string, unknown>) => unknown

const FIELDS = ['id', 'name', 'user_id', 'group_id', 'time']

/** Maps each column of the header to the body of a request. */
export function csvColumns(header: readonly string[]): (cells: readonly string[]) => Record<string, unknown> {
  const readers = header.map((text, index) => columnReader(index === 0 ? text.replace(/^\ufeff/, '') : text))
  return (cells) => {
    const body: Record<string, unknown> = {}
    readers.forEach((read, index) => {
      const cell = cells[index] ?? ''
      if (cell !== '') read(cell, body)
    })
    return body
  }
}

function columnReader(text: string): ReadCell {
  const title = text.trim()
  if (FIELDS.includes(title)) return (cell, body) => Object.assign(body, { [title]: cell })
  if (title === 'groups') return (cell, body) => Object.assign(body, { groups: groupIds(cell) })
  const [, name, type] = /^attributes\.(.+?)(?::(\w+))?$/.exec(title) ?? []
  if (name !== undefined && (type === undefined || (dataTypes as readonly string[]).includes(type)))
    return (cell, body) => {
      const attributes = (body.attributes ?? {}) as Record<string, unknown>
      // `__proto__` must become a property.
      Object.defineProperty(attributes, name, { value: attributeOf(cell, type), enumerable: true, writable: true })
      body.attributes = attributes
    }
  throw new StartupError(
    `The column "${title}" is not known: use ${[...FIELDS, 'groups'].join(', ')}, attributes.NAME or attributes.NAME:TYPE (${dataTypes.join(', ')}).`,
  )
}

function groupIds(cell: string): { id: string }[] {
  return cell
    .split(/[;,|]/)
    .map((id) => id.trim())
    .filter((id) => id !== '')
    .map((id) => ({ id }))
}

const BOOLEANS = new Map([
  ...['true', 'yes', '1'].map((text) => [text, true] as const),
  ...['false', 'no', '0'].map((text) => [text, false] as const),
])

/** A number that is not in canonical form, such as a phone number with a leading zero, stays text. */
function attributeOf(cell: string, type: string | undefined): unknown {
  const number = cell.trim() === '' ? Number.NaN : Number(cell)
  if (type === undefined) {
    if (cell === 'true' || cell === 'false') return cell === 'true'
    return String(number) === cell && Number.isFinite(number) ? number : cell
  }
  if (type === 'number') return { set: Number.isFinite(number) ? number : cell, data_type: type }
  if (type === 'boolean') return { set: BOOLEANS.get(cell.toLowerCase()) ?? cell, data_type: type }
  return { set: cell, data_type: type }
}
