import { dataTypes } from '../../contract/attributes.ts'
import { looksLikeFormula } from '../../contract/spreadsheets.ts'
import { errors } from '../errors.ts'
import { StartupError } from '../startup-error.ts'
import type { CsvRow } from './csv.ts'

type ReadCell = (cell: string, body: Record<string, unknown>) => unknown

const FIELDS = ['id', 'name', 'user_id', 'group_id', 'time', 'created_at']

/** Maps each column of the header to the body of a request. */
export function csvColumns({ cells: header, problem }: CsvRow): (row: CsvRow) => Record<string, unknown> {
  if (problem !== undefined) throw new StartupError(`The first line, which names the columns, ${problem}.`)
  const titles = header.map((text, index) => (index === 0 ? text.replace(/^\ufeff/, '') : text).trim())
  refuseDuplicates(titles)
  const readers = titles.map(columnReader)
  return ({ cells, problem }) => {
    const surplus = cells.slice(header.length).some((cell) => cell !== '')
    const reason = problem ?? (surplus ? `has ${cells.length} cells, and the header ${header.length}` : undefined)
    if (reason !== undefined) throw errors.invalidParams([{ param: undefined, message: reason }])
    const body: Record<string, unknown> = {}
    // By the cells of the row: a header can have a hundred thousand columns, and a row one cell.
    cells.slice(0, readers.length).forEach((given, index) => {
      const cell = plain(given)
      if (cell !== '') readers[index]?.(cell, body)
    })
    return body
  }
}

/** The apostrophe before what a spreadsheet would run as a formula is not part of the text. */
function plain(cell: string): string {
  return cell.startsWith("'") && looksLikeFormula(cell) ? cell.slice(1) : cell
}

/** The second column would replace the values of the first. */
function refuseDuplicates(titles: readonly string[]): void {
  const seen = new Set<string>()
  const twice = titles.map((title) => title.replace(/:\w+$/, '')).find((name) => seen.size === seen.add(name).size)
  if (twice !== undefined) throw new StartupError(`The column "${twice}" is there twice: leave one out, or rename it.`)
}

function columnReader(title: string): ReadCell {
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
    .split(';')
    .map((id) => id.trim())
    .filter((id) => id !== '')
    .map((id) => ({ id }))
}

const BOOLEANS = new Map([
  ...['true', 'yes', '1'].map((text) => [text, true] as const),
  ...['false', 'no', '0'].map((text) => [text, false] as const),
])

/** A number that is not in canonical form, such as a phone number with a leading zero, stays text, and so do long digits. */
function attributeOf(cell: string, type: string | undefined): unknown {
  const number = cell.trim() === '' ? Number.NaN : Number(cell)
  if (type === undefined) {
    if (cell === 'true' || cell === 'false') return cell === 'true'
    const isExact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number))
    return isExact && String(number) === cell ? number : cell
  }
  if (type === 'number') return { set: Number.isFinite(number) ? number : cell, data_type: type }
  if (type === 'boolean') return { set: BOOLEANS.get(cell.toLowerCase()) ?? cell, data_type: type }
  return { set: cell, data_type: type }
}
