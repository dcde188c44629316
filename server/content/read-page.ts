import type { EnvironmentId, Reader } from '../database/database.ts'
import { listPage, type PageEnd } from '../lists/list.ts'
import { type PageQuery, parsePage } from '../lists/page.ts'
import { findPosition } from '../lists/position.ts'
import type { ListSource } from '../lists/source.ts'

interface ContentList {
  source: ListSource
  /** Without the filters of the request: `starting_after` may name any of these. */
  all: ListSource
  fields: readonly string[]
  kind: string
}

/** One page of content, versions or themes. */
export async function readPage<Row extends { id: string }>(
  db: Reader,
  environmentId: EnvironmentId,
  { source, all, fields, kind }: ContentList,
  query: PageQuery,
): Promise<PageEnd & { rows: Row[] }> {
  const request = parsePage(query, fields)
  const after = await findPosition(db, environmentId, all, request, kind)
  return await listPage<Row>(db, environmentId, source, request, after)
}
