import type { Attributes } from '../../../contract/attributes.ts'
import type { ObjectPage } from '../../../contract/dashboard/objects.ts'
import type { ObjectRow } from '../../objects/queries.ts'

/** How many rows a condition reads for one page. Then the page ends, and the next one continues. */
const MOST_SCANNED = 10_000
/** The rows of one statement. */
export const PORTION = 1_000

/**
 * A page ends when it has this many bytes of attributes, and the next one continues. 500 users with 250 KB each made an answer
 * of 119 MB, for which the process took 1.1 GB.
 */
export const MOST_BYTES = 16 * 1024 * 1024
/** The rows of one statement of a page of all rows: with the most attributes that an object may have they are 32 MiB. */
const UNMEASURED = 128

/** A row with the cursor of what follows it. */
export interface Scanned extends ObjectRow {
  cursor: string
}

/** Reads rows in order after a cursor. Fewer rows than the limit are the last ones; `next` may still continue. */
export type Scan = (cursor: string | undefined, limit: number) => Promise<{ rows: Scanned[]; next: string | null }>

/** The ids of the rows that belong to the page. */
export type Select = (rows: readonly Scanned[]) => Promise<ReadonlySet<string>>

type Page = Omit<ObjectPage, 'total'>

/** One page of all rows. */
export async function plainPage(scan: Scan, cursor: string | undefined, limit: number): Promise<Page> {
  const data: ObjectPage['data'] = []
  let bytes = 0
  let next: string | null = cursor ?? null
  for (let isFull = true; isFull && data.length < limit && bytes < MOST_BYTES; ) {
    const asked = Math.min(limit - data.length, UNMEASURED)
    const part: Awaited<ReturnType<Scan>> = await scan(next ?? undefined, asked)
    for (const row of part.rows) {
      bytes += row.attributesJson.length
      data.push(objectOutput(row))
    }
    next = part.next
    // A search that has read all it may read for one page has fewer, although more follow.
    isFull = next !== null && part.rows.length === asked
  }
  return { data, next, looked_at: null, is_bounded: false }
}

/** One page of the rows that are selected. Rows are read in portions until the page is full or the bound is reached. */
export async function filteredPage(
  scan: Scan,
  select: Select,
  cursor: string | undefined,
  limit: number,
): Promise<Page> {
  const data: ObjectPage['data'] = []
  let [scanned, bytes] = [0, 0]
  let next: string | null = cursor ?? null
  for (let isFirst = true; isFirst || next !== null; isFirst = false) {
    const portion: Awaited<ReturnType<Scan>> = await scan(next ?? undefined, PORTION)
    const selected = await select(portion.rows)
    for (const row of portion.rows) {
      scanned += 1
      if (!selected.has(row.id)) continue
      data.push(objectOutput(row))
      bytes += row.attributesJson.length
      if (data.length === limit || bytes >= MOST_BYTES)
        return { data, next: row.cursor, looked_at: scanned, is_bounded: false }
    }
    next = portion.next
    if (scanned >= MOST_SCANNED && next !== null) return { data, next, looked_at: scanned, is_bounded: true }
  }
  return { data, next: null, looked_at: scanned, is_bounded: false }
}

function objectOutput({ id, attributesJson, created_at }: ObjectRow): ObjectPage['data'][number] {
  return { id, attributes: JSON.parse(attributesJson) as Attributes, created_at }
}
