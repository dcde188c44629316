import type { QueryResultRow } from 'pg'
import { limits } from '../../contract/limits.ts'
import type { EnvironmentId, Reader } from '../database/database.ts'
import { followingCondition, type KeysetNames, orderClause, pageParameters, pageValues } from './keyset.ts'
import { bytesOf } from './measured.ts'
import { encodePosition, type PagePosition, type PageRequest } from './page.ts'
import { column, keyText, type ListSource } from './source.ts'

export interface ListedRow {
  id: string
}

/** Whether more follows, and the position of the next page: that of this page when it is empty. */
export interface PageEnd {
  hasMore: boolean
  next: { startingAfter: string; position: string } | undefined
}

/**
 * One page by its keyset: the values of the last object and its id, never an offset. The ten-thousandth page costs as much
 * as the first, and a deletion moves nothing.
 */
export async function listPage<Row extends ListedRow>(
  db: Reader,
  environmentId: EnvironmentId,
  source: ListSource,
  page: PageRequest,
  after: PagePosition | undefined,
): Promise<PageEnd & { rows: Row[] }> {
  const text = pageText(source, page, after, pageParameters(source, page, after))
  const rows = await run<Row & Record<string, string>>(
    db,
    source,
    text,
    statementValues(environmentId, source, page, after),
  )
  const shown = rows.slice(0, page.limit)
  const last = shown.at(-1)
  const end = last ? { values: keysOf(page).map((key) => last[key] as string), id: last.id } : after
  const { hasMore, next } = pageEnd(page, end, rows.length)
  return { rows: shown, hasMore: hasMore || isCut(source, last), next }
}

/** Perhaps nothing follows: then the next page is empty. */
function isCut({ measured }: ListSource, last: Record<string, string> | undefined): boolean {
  return measured !== undefined && Number(last?.bytes) >= measured.mostBytes
}

async function run<Row extends QueryResultRow>(
  db: Reader,
  { filtered }: ListSource,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  return filtered ? await db.queryUnprepared<Row>(text, values) : await db.query<Row>(text, values)
}

export function keysOf({ order }: PageRequest): string[] {
  return order.map((_, index) => `key_${index}`)
}

/**
 * The length of a page is a parameter: each text is prepared once per connection. The planner has to know that it is small:
 * for an unknown limit it expects a tenth of the table, and sorts. So there is an inner, constant limit. It costs nothing,
 * since the rows are read one by one from the index.
 */
export function pageText(
  source: ListSource,
  page: PageRequest,
  after: PagePosition | undefined,
  own: KeysetNames,
): string {
  const conditions = [...source.where]
  if (after) conditions.push(followingCondition(source, page.order, own))
  const keys = page.order.map(({ name }, index) => `${keyText(column(source, name))} as key_${index}`)
  const order = orderClause(source, page.order)
  const size = sizeOf(source, order)
  return `select *
       from (select ${source.select}, ${[...keys, ...size.columns].join(', ')}
               from ${source.from}
              where ${conditions.join(' and ')}
              order by ${order}
              limit ${(source.longestPage ?? limits.listMaximum) + 1}) as nearest
      ${size.condition}
      limit ${own.limit} + 1`
}

/** The bytes of the page up to each row, in the order of the index: the rows are still read one by one. */
function sizeOf({ measured }: ListSource, order: string): { columns: string[]; condition: string } {
  if (!measured) return { columns: [], condition: '' }
  const { expression } = measured
  const size = bytesOf(expression)
  return {
    columns: [`sum(${size}) over (order by ${order} rows unbounded preceding) as bytes`, `${size} as own_bytes`],
    condition: `where bytes - own_bytes < ${measured.mostBytes}`,
  }
}

export function statementValues(
  environmentId: EnvironmentId,
  source: ListSource,
  page: PageRequest,
  after: PagePosition | undefined,
): unknown[] {
  return [environmentId, ...source.values, ...pageValues(page, after)]
}

export function pageEnd({ limit, order }: PageRequest, end: PagePosition | undefined, found: number): PageEnd {
  return { hasMore: found > limit, next: end && { startingAfter: end.id, position: encodePosition(order, end) } }
}
