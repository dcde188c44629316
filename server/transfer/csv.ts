import { isUtf8 } from 'node:buffer'
import { limits } from '../../contract/limits.ts'
import { StartupError } from '../startup-error.ts'

export interface CsvRow {
  /** The line on which it begins, from 1. */
  number: number
  cells: string[]
  /** Why the row cannot be taken. */
  problem: string | undefined
}

/** The rows of a CSV text (RFC 4180: cells in quotes may hold commas, line breaks and doubled quotes), many at a time. */
export async function* csvRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<CsvRow[]> {
  const parser = new RowParser()
  for await (const chunk of chunks) yield parser.push(chunk.toString('latin1'))
  yield parser.end()
}

/** Works on bytes, each as one character. All characters of the syntax are ASCII, and a cell is decoded when it is complete. */
class RowParser {
  #cells: string[] = []
  #rowBytes = 0
  #cell = ''
  #problem: string | undefined
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
      else this.#add(character)
      if (this.#cell.length > limits.bodyBytes)
        throw new StartupError(`Line ${this.#begun}: a cell is longer than 1 MiB: is a quote missing?`)
    }
    return rows
  }

  /** The last line may have no end. */
  end(): CsvRow[] {
    const rows: CsvRow[] = []
    if (this.#quoted && !this.#afterQuote)
      this.#problem = `has a quote that is not closed: the rest of the file, up to line ${this.#line}, was not read`
    this.#endRow(rows)
    return rows
  }

  #add(character: string): void {
    this.#cell += character
    if (this.#afterQuote && character !== '\r')
      this.#problem ??= 'has text after a closing quote; write a quote in a cell as two quotes'
  }

  #inQuotes(character: string): void {
    if (character !== '"') this.#cell += character
    else if (this.#afterQuote) {
      this.#cell += '"'
      this.#afterQuote = false
    } else this.#afterQuote = true
  }

  #endCell(): void {
    this.#rowBytes += this.#cell.length + 1
    if (this.#rowBytes <= limits.bodyBytes) this.#cells.push(this.#decoded())
    else this.#refuseLong()
    this.#cell = ''
    this.#quoted = false
    this.#afterQuote = false
  }

  /** As a line of NDJSON that is as long. Its cells are not kept. */
  #refuseLong(): void {
    this.#problem = 'is longer than 1 MiB'
    this.#cells = []
  }

  #decoded(): string {
    if (!/[\x80-\xff]/.test(this.#cell)) return this.#cell
    const bytes = Buffer.from(this.#cell, 'latin1')
    if (!isUtf8(bytes)) this.#problem ??= 'is not UTF-8; save the file as UTF-8'
    return bytes.toString()
  }

  #endRow(rows: CsvRow[]): void {
    // The first half of a line break of Windows. In quotes it belongs to the cell.
    if (this.#quoted === this.#afterQuote && this.#cell.endsWith('\r')) this.#cell = this.#cell.slice(0, -1)
    this.#endCell()
    const row = { number: this.#begun, cells: this.#cells, problem: this.#problem }
    this.#cells = []
    this.#rowBytes = 0
    this.#problem = undefined
    this.#begun = this.#line
    if (row.problem !== undefined || row.cells.length > 1 || row.cells[0] !== '') rows.push(row)
  }
}
