import type { EnvironmentId, Reader } from '../database/database.ts'
import { checkExpandedBytes, type Guard } from '../expand/expand.ts'
import type { ListTables } from '../expand/sql.ts'
import { type KeysetNames, pageColumns, pageParameters, pageValues, pageValueTypes } from './keyset.ts'
import { keysOf, type PageEnd, pageEnd, pageText, statementValues } from './list.ts'
import type { PagePosition, PageRequest } from './page.ts'
import { type RenderedRow, readTogether } from './read-together.ts'
import type { ListSource } from './source.ts'

/** The statement of a page that PostgreSQL renders. All pages of a list have the same text. */
interface Statement {
  text: string
  /** The statement of several such pages, each a row with its `number`. */
  together: string
}

export interface RenderedPage extends Statement {
  guard: Guard | undefined
  /** A cheaper statement, whose row is of use when its expansions are within the limit. */
  listed?: Statement & { isWithinLimit(row: RenderedRow): boolean }
}

/**
 * A page as one text, with the objects rendered and joined by PostgreSQL: reading a hundred rows field by field costs this
 * process twice as much as everything else about a list. `json` is the SQL of an object from its row, `object`. The
 * guard counts its expansions by the rows of `page`. `list` has the tables of the only expanded list; the number of its
 * links is answered too.
 */
export function renderedPage(
  source: ListSource,
  page: PageRequest,
  after: PagePosition | undefined,
  json: string,
  guardOf: (limit: string) => Guard | undefined,
  list?: ListTables,
): RenderedPage {
  const parameters = pageParameters(source, page, after)
  const guard = guardOf(parameters.limit)
  const types = pageValueTypes(source, page, after)
  const arrays = types.map((type, index) => `$${source.values.length + 2 + index}::${type}[]`)
  const columns = types.map((_, index) => `value_${index}`)
  const own = pageColumns(source, page, after)
  return {
    text: renderedText(source, page, after, json, guard, parameters, list),
    together: `select requested.number, result.*
       from unnest(${arrays}) with ordinality as requested (${columns.join(', ')}, number)
      cross join lateral (${renderedText(source, page, after, json, guardOf(own.limit), own, list)}) as result`,
    guard,
  }
}

/** Rows that are read several times need a CTE, which costs a tenth of a page. */
function renderedText(
  source: ListSource,
  page: PageRequest,
  after: PagePosition | undefined,
  json: string,
  guard: Guard | undefined,
  own: KeysetNames,
  list?: ListTables,
): string {
  const { limit } = own
  const keys = keysOf(page)
  const rows = pageText(source, page, after, own)
  // Arrays keep the order of the page. An `order by` in each aggregate would sort again.
  const lastOf = (column: string) => `(array_agg(${column}))[least(count(*), ${limit})] as ${column}`
  const item = guard ? `case when ${guard.fits} then ${json} end` : json
  return `${withPage(rows, guard, list)}
     select ${list ? joinedByOrdinal(limit) : joined(limit)} as items, count(*)::int as found,
            ${['id', ...keys].map(lastOf).join(', ')}${guard ? ', (select row_to_json(counts)::text from counts) as counts' : ''}
            ${list ? `, ${list.linked} as linked, ${list.bytes} as bytes` : ''}
       from (select ${item} as item, id, ${keys.join(', ')} ${list ? ', ordinal' : ''}
               from ${guard || list ? 'page' : `(${rows})`} as object ${list ? `${list.join} order by ordinal` : ''}) as rendered`
}

/** Without the last row, which only shows that more follow. */
const joined = (limit: string) => `array_to_string((array_agg(item))[1:${limit}], ',')`
/** Long items are not copied into an array first. A plain page is not numbered: that would cost more than it saves. */
const joinedByOrdinal = (limit: string) => `string_agg(item, ',') filter (where ordinal <= ${limit})`

/** A join may change the order of the rows, so they are numbered. */
function withPage(rows: string, guard: Guard | undefined, list: ListTables | undefined): string {
  if (guard) return `with page as materialized (${rows}), ${guard.cte}`
  if (!list) return ''
  const numbered = `select *, row_number() over () as ordinal from (${rows}) as found`
  return `with page as materialized (${numbered}), ${list.tables.join(', ')}`
}

/** Reads a page by such a statement. Pages that are requested at the same time are read together. */
export async function listPageText(
  db: Reader,
  environmentId: EnvironmentId,
  source: ListSource,
  page: PageRequest,
  after: PagePosition | undefined,
  rendered: RenderedPage,
): Promise<PageEnd & { items: string }> {
  const row = await readWithinLimit(rendered, (statement) =>
    readRow(db, environmentId, source, page, after, statement, rendered.guard ? 'expanded' : 'plain'),
  )
  const end = row.found > 0 ? { values: keysOf(page).map((key) => row[key] as string), id: row.id as string } : after
  return { items: row.items ?? '', ...pageEnd(page, end, row.found) }
}

/** Throws when the expansions of the page are over the limit. */
async function readWithinLimit(
  { guard, listed, ...counted }: RenderedPage,
  read: (statement: Statement) => Promise<RenderedRow>,
): Promise<RenderedRow> {
  if (listed) {
    const row = await read(listed)
    checkExpandedBytes(row.bytes ?? 0)
    if (listed.isWithinLimit(row)) return row
  }
  const row = await read(counted)
  guard?.check(JSON.parse(row.counts as string))
  return row
}

async function readRow(
  db: Reader,
  environmentId: EnvironmentId,
  source: ListSource,
  page: PageRequest,
  after: PagePosition | undefined,
  { text, together }: Statement,
  weight: 'expanded' | 'plain',
): Promise<RenderedRow> {
  if (source.filtered) {
    const values = statementValues(environmentId, source, page, after)
    return ((await db.queryUnprepared<RenderedRow>(text, values)) as [RenderedRow])[0]
  }
  const own = pageValues(page, after)
  const sequence = source.sequence ?? 0
  return await readTogether(db, { environmentId, text, together, common: source.values, sequence, weight, own })
}
