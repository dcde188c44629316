import { counted } from '../format/number.ts'
import { download, line, MOST_EXPORTED } from '../objects/export.ts'
import { toast } from '../parts/toast.tsx'

/** How many rows of a list one request reads. */
export const EXPORT_PAGE = 500

interface Pages<Row> {
  /** Of the file. */
  name: string
  /** What a row is. */
  what: string
  titles: readonly string[]
  read: (cursor: string) => Promise<{ data: readonly Row[]; next: string | null }>
  cells: (row: Row) => readonly unknown[]
}

/** Every row of a list, newest first, as a CSV file: one page after the other. */
export async function exportPages<Row>({ name, what, titles, read, cells }: Pages<Row>): Promise<void> {
  const lines = [line(titles)]
  let cursor: string | null = ''
  while (cursor !== null && lines.length <= MOST_EXPORTED) {
    const { data, next }: { data: readonly Row[]; next: string | null } = await read(cursor)
    for (const row of data) lines.push(line(cells(row)))
    cursor = next
  }
  download(name, new Blob(lines, { type: 'text/csv' }))
  toast(`${cursor === null ? '' : 'The newest '}${counted(lines.length - 1, what)} exported.`)
}
