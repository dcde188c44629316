import { looksLikeFormula } from '../../contract/spreadsheets.ts'
import { type Collection, type ListSearch, type ObjectRow, readList } from './queries.ts'
import { attributeOf } from './words.ts'

/** The most rows of one export, which the browser holds in memory. `usher export` has no limit. */
export const MOST_EXPORTED = 100_000
const PAGE = 5000

export type ExportColumn = { name: string; type: string }

export type ExportProgress = {
  done: number
  /** Under a filter: how many rows were looked at. */
  looked: number
}

/**
 * Every row of the list as CSV that "usher import" reads again, in its order: id, name, e-mail, the columns, created. It reads
 * one page after the other, and stops when the signal is aborted.
 */
export async function exportList(
  list: { kind: Collection; environment: string; search: ListSearch },
  columns: readonly ExportColumn[],
  onProgress: (progress: ExportProgress) => void,
  signal: AbortSignal,
): Promise<{ csv: string[]; rows: number; isCut: boolean }> {
  const names = [...new Set(['name', 'email', ...columns.map(({ name }) => name)])]
  const csv = ['']
  const seen = new Map(names.map((name) => [name, new Set<string>()]))
  const titles = () =>
    line(['id', ...names.map((name) => `attributes.${name}${suffix(name, columns, seen.get(name))}`), 'created_at'])
  const read = (cursor: string) =>
    readList(list.kind, list.environment, { ...list.search, limit: PAGE }, cursor, signal)
  let looked = 0
  for (let coming = read(''); ; ) {
    const page = await coming
    const rows = csv.length - 1 + page.data.length
    const isLast = page.next === null || rows >= MOST_EXPORTED
    // The server reads the next page while the rows of this one are written.
    if (page.next !== null && !isLast) coming = read(page.next)
    for (const row of page.data) {
      csv.push(rowLine(row, names))
      for (const [name, types] of seen) {
        const value = attributeOf(row.attributes, name)
        if (value !== undefined) types.add(typeof value)
      }
    }
    looked += page.looked_at ?? 0
    onProgress({ done: rows, looked })
    if (!isLast) continue
    csv[0] = titles()
    return { csv, rows, isCut: page.next !== null }
  }
}

/** The type of a column whose values all have it. Otherwise each value says it: `12` is a number then. */
function suffix(name: string, columns: readonly ExportColumn[], types: ReadonlySet<string> | undefined): string {
  if (types?.size !== 1) return ''
  const [type] = types
  if (type !== 'string') return `:${type}`
  return columns.find((column) => column.name === name)?.type === 'datetime' ? ':datetime' : ':string'
}

function rowLine({ id, attributes, created_at }: ObjectRow, names: readonly string[]): string {
  return line([id, ...names.map((name) => attributeOf(attributes, name)), created_at])
}

export const line = (values: readonly unknown[]) => `${values.map(cell).join(',')}\r\n`

/** A cell that a spreadsheet would run as a formula begins with an apostrophe, which an import removes again. */
export function cell(value: unknown): string {
  if (value === undefined || value === null) return ''
  const text = typeof value === 'string' && looksLikeFormula(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export function download(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}
