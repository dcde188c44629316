import type { ObjectPage } from '../../../contract/dashboard/objects.ts'
import { PAGE_BYTES } from '../../lists/measured.ts'
import type { ObjectRow } from '../../objects/queries.ts'

/** How many rows a condition reads for one page. Then the page ends, and the next one continues. */
const MOST_SCANNED = 10_000
/** The most rows of one statement, and how many the first one of a page reads. The others go by the bytes of its rows. */
export const PORTION = 1_000
const FIRST_PORTION = 32

/** A statement ends at so many bytes too. 500 users with 250 KB each made an answer of 119 MB, for which the process took 1.1 GB. */
export const MOST_BYTES = PAGE_BYTES
/** The bytes that a condition reads for one page. */
const MOST_BYTES_SCANNED = 16 * MOST_BYTES

/** A row that can tell the cursor of what follows it. */
export interface Scanned extends ObjectRow {
  cursor: () => string
}

/** Reads rows in order after a cursor, up to the limit or to `MOST_BYTES`. Without `next` they are the last ones. */
export type Scan = (cursor: string | undefined, limit: number) => Promise<{ rows: Scanned[]; next: string | null }>

/** The ids of the rows that belong to the page. */
export type Select = (rows: readonly Scanned[]) => Promise<ReadonlySet<string>>

/** The rows of a page. */
export type Page = Omit<ObjectPage, 'total' | 'data'> & { rows: Scanned[] }

/** One page of all rows. */
export async function plainPage(scan: Scan, cursor: string | undefined, limit: number): Promise<Page> {
  const rows: Scanned[] = []
  let bytes = 0
  let next: string | null = cursor ?? null
  for (let isFull = true; isFull && rows.length < limit && bytes < MOST_BYTES; ) {
    const asked = Math.min(limit - rows.length, portionOf(rows.length, bytes))
    const part: Awaited<ReturnType<Scan>> = await scan(next ?? undefined, asked)
    rows.push(...part.rows)
    bytes += bytesOf(part.rows)
    next = part.next
    // A search that has read all it may read for one page has fewer, although more follow.
    isFull = next !== null && part.rows.length === asked
  }
  return { rows, next, looked_at: null, is_bounded: false }
}

/** How many rows a statement should read, by those before it: PostgreSQL measures what it reads, also what it leaves out. */
function portionOf(read: number, bytes: number): number {
  if (read === 0) return FIRST_PORTION
  return Math.max(FIRST_PORTION, Math.min(PORTION, Math.floor((read * MOST_BYTES) / bytes)))
}

const bytesOf = (rows: readonly Scanned[]) => rows.reduce((sum, { attributesJson }) => sum + attributesJson.length, 0)

/** One page of the rows that are selected. Rows are read in portions until the page is full or the bound is reached. */
export async function filteredPage(
  scan: Scan,
  select: Select,
  cursor: string | undefined,
  limit: number,
): Promise<Page> {
  const rows: Scanned[] = []
  let [scanned, scannedBytes, bytes] = [0, 0, 0]
  let next: string | null = cursor ?? null
  for (let isFirst = true; isFirst || next !== null; isFirst = false) {
    const asked = Math.min(MOST_SCANNED - scanned, portionOf(scanned, scannedBytes))
    const portion: Awaited<ReturnType<Scan>> = await scan(next ?? undefined, asked)
    const selected = await select(portion.rows)
    scannedBytes += bytesOf(portion.rows)
    for (const row of portion.rows) {
      scanned += 1
      if (!selected.has(row.id)) continue
      rows.push(row)
      bytes += row.attributesJson.length
      if (rows.length === limit || bytes >= MOST_BYTES)
        return { rows, next: row.cursor(), looked_at: scanned, is_bounded: false }
    }
    next = portion.next
    const isBounded = next !== null && (scanned >= MOST_SCANNED || scannedBytes >= MOST_BYTES_SCANNED)
    if (isBounded) return { rows, next, looked_at: scanned, is_bounded: true }
  }
  return { rows, next: null, looked_at: scanned, is_bounded: false }
}
