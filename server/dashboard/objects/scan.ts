import type { Attributes } from '../../../contract/attributes.ts'
import type { ObjectPage } from '../../../contract/dashboard/objects.ts'
import type { ObjectRow } from '../../objects/queries.ts'

/** How many rows a condition reads for one page. Then the page ends, and the next one continues. */
const MOST_SCANNED = 10_000
/** The rows of one statement. */
export const PORTION = 1_000

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
  const { rows, next } = await scan(cursor, limit)
  return { data: rows.map(objectOutput), next, looked_at: null, is_bounded: false }
}

/** One page of the rows that are selected. Rows are read in portions until the page is full or the bound is reached. */
export async function filteredPage(
  scan: Scan,
  select: Select,
  cursor: string | undefined,
  limit: number,
): Promise<Page> {
  const data: ObjectPage['data'] = []
  let scanned = 0
  let next: string | null = cursor ?? null
  for (let isFirst = true; isFirst || next !== null; isFirst = false) {
    const portion: Awaited<ReturnType<Scan>> = await scan(next ?? undefined, PORTION)
    const selected = await select(portion.rows)
    for (const row of portion.rows) {
      scanned += 1
      if (!selected.has(row.id)) continue
      data.push(objectOutput(row))
      if (data.length === limit) return { data, next: row.cursor, looked_at: scanned, is_bounded: false }
    }
    next = portion.next
    if (scanned >= MOST_SCANNED && next !== null) return { data, next, looked_at: scanned, is_bounded: true }
  }
  return { data, next: null, looked_at: scanned, is_bounded: false }
}

function objectOutput({ id, attributesJson, created_at }: ObjectRow): ObjectPage['data'][number] {
  return { id, attributes: JSON.parse(attributesJson) as Attributes, created_at }
}
