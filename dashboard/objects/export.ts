import { type Collection, type ListSearch, type ObjectRow, readList } from './queries.ts'

/** The most rows of one export, which the browser holds in memory. `usher export` has no limit. */
export const MOST_EXPORTED = 100_000
const PAGE = 100

export type ExportProgress = {
  done: number
  /** Under a filter: how many rows were looked at. */
  looked: number
}

/**
 * Every row of the list as CSV, in its order: id, name, e-mail, the columns, created. It reads one page after the other, and
 * stops when the signal is aborted.
 */
export async function exportList(
  list: { kind: Collection; environment: string; search: ListSearch },
  columns: string[],
  onProgress: (progress: ExportProgress) => void,
  signal: AbortSignal,
): Promise<{ csv: string[]; rows: number; isCut: boolean }> {
  const names = [...new Set(['name', 'email', ...columns])]
  const csv = [line(['id', ...names, 'created_at'])]
  let looked = 0
  for (let cursor = ''; ; ) {
    const page = await readList(list.kind, list.environment, { ...list.search, limit: PAGE }, cursor, signal)
    csv.push(...page.data.map((row) => rowLine(row, names)))
    looked += page.looked_at ?? 0
    const rows = csv.length - 1
    onProgress({ done: rows, looked })
    if (page.next === null) return { csv, rows, isCut: false }
    if (rows >= MOST_EXPORTED) return { csv, rows, isCut: true }
    cursor = page.next
  }
}

function rowLine({ id, attributes, created_at }: ObjectRow, names: readonly string[]): string {
  return line([id, ...names.map((name) => attributes[name]), created_at])
}

const line = (values: readonly unknown[]) => `${values.map(cell).join(',')}\r\n`

/** A cell that a spreadsheet would run as a formula begins with an apostrophe. */
export function cell(value: unknown): string {
  if (value === undefined || value === null) return ''
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export function download(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}
