import { orderable } from '../../../contract/queries.ts'
import type { Database, EnvironmentId } from '../../database/database.ts'
import { findPosition, type ListSource, listPage } from '../../lists/list.ts'
import { encodePosition, type PageRequest, parsePage } from '../../lists/page.ts'
import type { ObjectRow } from '../../objects/queries.ts'
import type { ObjectTable } from '../../objects/tables.ts'
import { objectSource } from '../../reads/lists.ts'
import type { Scan } from './scan.ts'

type Keyed = ObjectRow & Record<string, string>

/** A list in one of the API's orders, newest first unless another is asked for. */
export function orderedScan(
  database: Database,
  environmentId: EnvironmentId,
  table: ObjectTable,
  source: ListSource,
  orderBy: string,
): Scan {
  return async (cursor, limit) => {
    const request = pageRequest(table, orderBy, cursor, limit)
    const after = await findPosition(database, environmentId, objectSource(table), request, table.kind)
    const { rows, hasMore } = await listPage<Keyed>(database, environmentId, source, request, after)
    const scanned = rows.map((row) => ({ ...row, cursor: cursorOf(request, row) }))
    return { rows: scanned, next: hasMore ? (scanned.at(-1)?.cursor ?? null) : null }
  }
}

/** The cursor is a position of the public lists. One that is not ours, or of another order, begins at the beginning. */
function pageRequest(table: ObjectTable, orderBy: string, cursor: string | undefined, limit: number): PageRequest {
  const id = cursor === undefined ? undefined : lastOf(cursor)
  const place = id === undefined || cursor === undefined ? {} : { starting_after: id, position: cursor }
  const request = parsePage({ order_by: [orderBy], limit, ...place }, orderable[table.name])
  return request.position ? request : { ...request, startingAfter: undefined }
}

function cursorOf({ order }: PageRequest, row: Keyed): string {
  return encodePosition(order, { values: order.map((_, index) => row[`key_${index}`] as string), id: row.id })
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
