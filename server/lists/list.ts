import type { QueryResultRow } from 'pg'
import { limits } from '../../contract/limits.ts'
import type { EnvironmentId, Reader } from '../database/database.ts'
import type { Guard } from '../expand/expand.ts'
import {
  askedColumns,
  askedTypes,
  followingCondition,
  type KeysetNames,
  orderClause,
  ownParameters,
  ownValues,
} from './keyset.ts'
import { encodePosition, type PageRequest, type Position } from './page.ts'
import { type RenderedRow, readTogether } from './read-together.ts'
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
  after: Position | undefined,
): Promise<PageEnd & { rows: Row[] }> {
  const text = pageText(source, page, after, ownParameters(source, page, after))
  const rows = await run<Row & Record<string, string>>(db, source, text, pageValues(environmentId, source, page, after))
  const shown = rows.slice(0, page.limit)
  const last = shown.at(-1)
  const end = last ? { values: keysOf(page).map((key) => last[key] as string), id: last.id } : after
  return { rows: shown, ...pageEnd(page, end, rows.length) }
}

/** The statement of a page that PostgreSQL renders. All pages of a list have the same text. */
export interface RenderedPage {
  text: string
  /** The statement of several such pages, each a row with its `number`. */
  together: string
  guard: Guard | undefined
}

/**
 * A page as one text, with the objects rendered and joined by PostgreSQL: reading a hundred rows field by field costs this
 * process twice as much as everything else about a list. `json` is the SQL of an object from its row, `object`. The
 * guard counts its expansions by the rows of `page`.
 */
export function renderedPage(
  source: ListSource,
  page: PageRequest,
  after: Position | undefined,
  json: string,
  guardOf: (limit: string) => Guard | undefined,
): RenderedPage {
  const parameters = ownParameters(source, page, after)
  const guard = guardOf(parameters.limit)
  const asked = `unnest(${askedTypes(source, page, after).map((type, index) => `$${source.values.length + 2 + index}::${type}[]`)})`
  const columns = [...askedTypes(source, page, after).keys()].map((index) => `asked_${index}`)
  const own = askedColumns(source, page, after)
  return {
    text: renderedText(source, page, after, json, guard, parameters),
    together: `select asked.number, answered.*
       from ${asked} with ordinality as asked (${columns.join(', ')}, number)
      cross join lateral (${renderedText(source, page, after, json, guardOf(own.limit), own)}) as answered`,
    guard,
  }
}

/** With a guard the rows are read twice and need a CTE, which costs a tenth of a page. */
function renderedText(
  source: ListSource,
  page: PageRequest,
  after: Position | undefined,
  json: string,
  guard: Guard | undefined,
  own: KeysetNames,
): string {
  const { limit } = own
  const keys = keysOf(page)
  const rows = pageText(source, page, after, own)
  // Arrays keep the order of the page. An `order by` in each aggregate would sort again.
  const lastOf = (column: string) => `(array_agg(${column}))[least(count(*), ${limit})] as ${column}`
  return `${guard ? `with page as materialized (${rows}), ${guard.cte}` : ''}
     select array_to_string((array_agg(item))[1:${limit}], ',') as items, count(*)::int as found,
            ${['id', ...keys].map(lastOf).join(', ')}${guard ? ', (select row_to_json(counts)::text from counts) as counts' : ''}
       from (select ${guard ? `case when ${guard.fits} then ${json} end` : json} as item, id, ${keys.join(', ')}
               from ${guard ? 'page' : `(${rows})`} as object) as rendered`
}

/** Reads a page by such a statement. Pages that are requested at the same time are read together. */
export async function listPageText(
  db: Reader,
  environmentId: EnvironmentId,
  source: ListSource,
  page: PageRequest,
  after: Position | undefined,
  { text, together, guard }: RenderedPage,
): Promise<PageEnd & { items: string }> {
  const row = source.filtered
    ? (
        (await db.queryUnprepared<RenderedRow>(text, pageValues(environmentId, source, page, after))) as [RenderedRow]
      )[0]
    : await readTogether(db, {
        environmentId,
        text,
        together,
        common: source.values,
        sequence: source.sequence ?? 0,
        weight: guard ? 'expanded' : 'plain',
        own: ownValues(page, after),
      })
  guard?.check(JSON.parse(row.counts as string))
  const end = row.found > 0 ? { values: keysOf(page).map((key) => row[key] as string), id: row.id as string } : after
  return { items: row.items ?? '', ...pageEnd(page, end, row.found) }
}

async function run<Row extends QueryResultRow>(
  db: Reader,
  { filtered }: ListSource,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  return filtered ? await db.queryUnprepared<Row>(text, values) : await db.query<Row>(text, values)
}

function keysOf({ order }: PageRequest): string[] {
  return order.map((_, index) => `key_${index}`)
}

/**
 * The length of a page is a parameter: each text is prepared once per connection. The planner has to know that it is small:
 * for an unknown limit it expects a tenth of the table, and sorts. So there is an inner, constant limit. It costs nothing,
 * since the rows are read one by one from the index.
 */
function pageText(source: ListSource, page: PageRequest, after: Position | undefined, own: KeysetNames): string {
  const conditions = [...source.where]
  if (after) conditions.push(followingCondition(source, page.order, own))
  const keys = page.order.map(({ name }, index) => `${keyText(column(source, name))} as key_${index}`)
  return `select *
       from (select ${source.select}, ${keys.join(', ')}
               from ${source.from}
              where ${conditions.join(' and ')}
              order by ${orderClause(source, page.order)}
              limit ${(source.longestPage ?? limits.listMaximum) + 1}) as nearest
      limit ${own.limit} + 1`
}

function pageValues(
  environmentId: EnvironmentId,
  source: ListSource,
  page: PageRequest,
  after: Position | undefined,
): unknown[] {
  return [environmentId, ...source.values, ...ownValues(page, after)]
}

function pageEnd({ limit, order }: PageRequest, end: Position | undefined, found: number): PageEnd {
  return { hasMore: found > limit, next: end && { startingAfter: end.id, position: encodePosition(order, end) } }
}
