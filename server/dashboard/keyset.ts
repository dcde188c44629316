import type { Database, EnvironmentId } from '../database/database.ts'
import { type ListedRow, listPage } from '../lists/list.ts'
import { encodePosition, type PageRequest, parsePage } from '../lists/page.ts'
import { findPosition } from '../lists/position.ts'
import type { ListSource } from '../lists/source.ts'

/** A list of the dashboard whose order is that of an index. */
export interface KeysetList {
  /** With its filters, and without them. */
  source: ListSource
  unfiltered: ListSource
  kind: string
  orderable: readonly string[]
  orderBy: string
}

/** One page. Each row can tell the cursor of what follows it. A cursor is a position of the public lists. */
export async function keysetPage<Row extends ListedRow>(
  database: Database,
  environmentId: EnvironmentId,
  list: KeysetList,
  cursor: string | undefined,
  limit: number,
): Promise<{ rows: (Row & { cursor: () => string })[]; next: string | null }> {
  const request = pageRequest(list, cursor, limit)
  const after = await findPosition(database, environmentId, list.unfiltered, request, list.kind)
  const { rows, hasMore } = await listPage<Row & Record<string, string>>(
    database,
    environmentId,
    list.source,
    request,
    after,
  )
  const shown = rows.map((row) => Object.assign(row, { cursor: () => cursorOf(request, row) }))
  return { rows: shown, next: hasMore ? (shown.at(-1)?.cursor() ?? null) : null }
}

/** An invalid cursor, or one of another order, gives the first page. */
function pageRequest({ orderBy, orderable }: KeysetList, cursor: string | undefined, limit: number): PageRequest {
  const id = cursor === undefined ? undefined : lastOf(cursor)
  const place = id === undefined || cursor === undefined ? {} : { starting_after: id, position: cursor }
  const request = parsePage({ order_by: [orderBy], limit, ...place }, orderable)
  return request.position ? request : { ...request, startingAfter: undefined }
}

function cursorOf({ order }: PageRequest, row: Record<string, string>): string {
  return encodePosition(order, { values: order.map((_, index) => row[`key_${index}`] as string), id: row.id as string })
}

function lastOf(cursor: string): string | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const last: unknown = Array.isArray(parts) ? parts.at(-1) : undefined
    return typeof last === 'string' ? last : undefined
  } catch {
    return undefined
  }
}
