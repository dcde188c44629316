import type { ObjectRow } from './queries.ts'

/** The rows that are shown, as CSV: id, name, e-mail, the columns, created. */
export function exportRows(file: string, rows: ObjectRow[], columns: string[]): void {
  const names = [...new Set(['name', 'email', ...columns])]
  const lines = rows.map((row) => [row.id, ...names.map((name) => row.attributes[name]), row.created_at])
  const text = [['id', ...names, 'created_at'], ...lines].map((line) => line.map(cell).join(',')).join('\r\n')
  download(file, new Blob([`${text}\r\n`], { type: 'text/csv' }))
}

/** A cell that a spreadsheet would run as a formula begins with an apostrophe. */
export function cell(value: unknown): string {
  if (value === undefined || value === null) return ''
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function download(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}
